(** * Certificates, and their checker

    A certificate lists positions, smaller ones first. Each comes with its worth and, for every turn, with a pair
    of strategies and the value of the turn's matrix game. The checker looks up what the positions that follow
    are worth, which it has checked already, makes the matrix of the bids, and compares: the strategies must
    guarantee and concede the value. Where the strategies came from does not matter.

    [Soundness.v] proves that what the checker accepts is true. *)

From Coq Require Export QArith List ZArith.
From Coq Require Import Qreduction Lia Bool FMapPositive.
From Gops Require Export MatrixGame Game.
From Gops Require Import Symmetry OneGame.
Export ListNotations.
Open Scope Q_scope.

(** ** What a certificate says *)

Record plan := Plan {
  value : Q;        (* the value of the turn *)
  row : list Z;     (* player one's strategy: for each of her cards a weight, to which its probability is as 1 to
                       the sum of all weights; whole numbers spare the checker long denominators *)
  column : list Z;  (* player two's *)
  (* The claim that neither player has another optimal strategy: a denominator, and for each card of player one the
     numerators of the numbers [c i j] of [only_one]. The numbers [- c i j] serve player two. [None] claims
     nothing. *)
  only : option (Z * list (list Z))
}.

Record line := Line { place : position; worth_of : Q; plans : list plan }.

Definition true_plan (r : rules) (at_ : position) (turn : list Z) (p : plan) : Prop :=
  optimal_bids r at_ turn (chance (one at_) (row p)) (chance (two at_) (column p)) (value p) /\
  (only p <> None ->
    only_bids r at_ turn (chance (one at_) (row p)) /\ only_replies r at_ turn (chance (two at_) (column p))).

Definition true_line (r : rules) (l : line) : Prop :=
  worth r (place l) (worth_of l) /\ Forall2 (true_plan r (place l)) (turns r (place l)) (plans l).

(** ** The positions that have been checked, and how they are looked up *)

Definition known := PositiveMap.t (position * Q).

(** A number for a position: the digits of a number in base 2, each after a 1, and a 0 at its end. Positions are
    compared when they are found, so that nothing rests on this. *)
Fixpoint push (p code : positive) : positive :=
  match p with xH => xO code | xO p' => push p' (code~1~0) | xI p' => push p' (code~1~1) end.

Definition push_integer (code : positive) (z : Z) : positive :=
  match z with Z0 => code~0~0 | Zpos p => push p (code~0~1) | Zneg p => push p (code~1~0) end.

Definition code (at_ : position) : positive :=
  let add := fold_left push_integer in
  add [margin at_; pot at_] (xO (add (left at_) (xO (add (two at_) (xO (add (one at_) xH)))))).

Fixpoint same (a b : list Z) : bool :=
  match a, b with [], [] => true | x :: a', y :: b' => Z.eqb x y && same a' b' | _, _ => false end.

Lemma same_ok a : forall b, same a b = true -> a = b.
Proof.
  induction a; destruct b; simpl; intros h; try discriminate; [reflexivity|].
  apply andb_prop in h as [h1 h2]. apply Z.eqb_eq in h1. f_equal; auto.
Qed.

Definition same_position (a b : position) : bool :=
  same (one a) (one b) && same (two a) (two b) && same (left a) (left b) &&
  Z.eqb (margin a) (margin b) && Z.eqb (pot a) (pot b).

Lemma same_position_ok a b : same_position a b = true -> a = b.
Proof.
  intros h. repeat apply andb_prop in h as [h ?]. destruct a, b; simpl in *.
  f_equal; auto using same_ok; apply Z.eqb_eq; assumption.
Qed.

Definition stated (t : known) (at_ : position) : option Q :=
  match PositiveMap.find (code at_) t with
  | Some (at', v) => if same_position at' at_ then Some v else None
  | None => None
  end.

(** The rank of a card among the cards of both players: the label of its order type. *)
Definition rank (cards : list Z) (c : Z) : Z :=
  Z.of_nat (S (length (filter (fun d => Z.ltb d c) cards))).

Definition holds (l : list Z) (c : Z) : bool := existsb (Z.eqb c) l.

Definition ranked (at_ : position) : position :=
  relabelled (rank (one at_ ++ filter (fun c => negb (holds (one at_) c)) (two at_))) at_.

Lemma rank_increasing cards l : (forall c, In c l -> In c cards) -> increasing (rank cards) l.
Proof.
  intros inc a b ha hb lt. apply inc in ha. unfold rank. apply inj_lt. apply -> Nat.succ_lt_mono.
  clear - ha lt.
  assert (le : forall l, (length (filter (fun d => Z.ltb d a) l) <= length (filter (fun d => Z.ltb d b) l))%nat).
  { induction l as [|d l IH]; simpl; [lia|].
    destruct (Z.ltb_spec d a), (Z.ltb_spec d b); simpl; lia. }
  induction cards as [|d l IH]; simpl; [destruct ha|]. destruct ha as [->|h].
  - destruct (Z.ltb_spec a a), (Z.ltb_spec a b); simpl; try lia. specialize (le l). lia.
  - specialize (IH h). destruct (Z.ltb_spec d a), (Z.ltb_spec d b); simpl; lia.
Qed.

Section Rules.

Variable r : rules.

Definition is_decided (at_ : position) : bool :=
  match goal r with Win => true | Points => false end &&
  Z.ltb (total (left at_) + pot at_) (Z.abs (margin at_)) &&
  forallb (Z.leb 0) (left at_) && Z.leb 0 (pot at_) &&
  Nat.eqb (length (one at_)) (length (left at_)) && Nat.eqb (length (two at_)) (length (left at_)).

Lemma is_decided_ok at_ : is_decided at_ = true -> decided r at_.
Proof.
  intros h. repeat apply andb_prop in h as [h ?]. constructor.
  - destruct (goal r); [discriminate|reflexivity].
  - apply Z.ltb_lt. assumption.
  - apply Forall_forall. intros c hc. apply Z.leb_le. match goal with H : forallb _ _ = true |- _ =>
      rewrite forallb_forall in H; auto end.
  - apply Z.leb_le. assumption.
  - apply Nat.eqb_eq. assumption.
  - apply Nat.eqb_eq. assumption.
Qed.

(** What a position is worth: it is over, or decided, or stated with these ranks or with the players exchanged. *)
Definition look (t : known) (at_ : position) : option Q :=
  match left at_ with
  | [] => Some (final r at_)
  | _ =>
    if is_decided at_ then Some (inject_Z (Z.sgn (margin at_))) else
    let at' := ranked at_ in
    match stated t at' with
    | Some v => Some v
    | None => match stated t (mirrored at') with Some v => Some (- v) | None => None end
    end
  end.

Definition good (t : known) : Prop :=
  forall key at_ v, PositiveMap.find key t = Some (at_, v) -> worth r at_ v.

Lemma stated_ok t at_ v : good t -> stated t at_ = Some v -> worth r at_ v.
Proof.
  unfold stated. intros g h. destruct (PositiveMap.find _ _) as [[at' w]|] eqn:E; [|discriminate].
  destruct (same_position at' at_) eqn:S; [|discriminate]. apply same_position_ok in S. subst.
  injection h as <-. eapply g. exact E.
Qed.

Lemma ranked_ok at_ v : worth r (ranked at_) v -> worth r at_ v.
Proof.
  apply worth_relabelled. apply rank_increasing. intros c h. apply in_or_app.
  apply in_app_or in h as [h|h]; [left; exact h|].
  destruct (holds (one at_) c) eqn:E.
  - left. apply existsb_exists in E as (d & hd & e). apply Z.eqb_eq in e. subst. exact hd.
  - right. apply filter_In. rewrite E. auto.
Qed.

Lemma look_ok t at_ v : good t -> look t at_ = Some v -> worth r at_ v.
Proof.
  unfold look. intros g h. destruct (left at_) as [|p l] eqn:E.
  { injection h as <-. apply over; [exact E|reflexivity]. }
  destruct (is_decided at_) eqn:D.
  { injection h as <-. apply worth_decided, is_decided_ok. exact D. }
  apply ranked_ok. destruct (stated t (ranked at_)) as [w|] eqn:S.
  { injection h as <-. eapply stated_ok; eauto. }
  destruct (stated t (mirrored (ranked at_))) as [w|] eqn:M; [|discriminate]. injection h as <-.
  apply (stated_ok t _ _ g) in M. apply worth_mirrored in M. rewrite mirrored_twice in M. exact M.
Qed.

(** ** Checking a line *)

(** The worth of the positions that follow a turn: by prize, bid and reply. *)
Definition children (t : known) (at_ : position) (turn : list Z) : list (Z * list (Z * list (Z * option Q))) :=
  tabulate turn (fun p => tabulate (one at_) (fun bid => tabulate (two at_) (fun reply =>
    look t (after r at_ p bid reply)))).

Definition all_known (c : list (Z * list (Z * list (Z * option Q)))) : bool :=
  forallb (fun x => forallb (fun y => forallb (fun z => match snd z with Some _ => true | None => false end)
    (snd y)) (snd x)) c.

Definition child (c : list (Z * list (Z * list (Z * option Q)))) p bid reply : Q :=
  match find reply (find bid (find p c []) []) None with Some v => v | None => 0 end.

Definition check_only (rows columns : list Z) A w z v (numbers : option (Z * list (list Z))) : bool :=
  match numbers with
  | None => true
  | Some (d, numerators) =>
    let c := fun i => weight columns (find i (combine rows numerators) []) in
    is_only rows columns A w z v (inject_Z d) c &&
    is_equilibrium columns rows (fun j i => - A i j) z w (- v) &&
    is_only columns rows (fun j i => - A i j) z w (- v) (inject_Z d) (fun j i => - c i j)
  end.

Definition check_plan (t : known) (at_ : position) (turn : list Z) (p : plan) : bool :=
  let c := children t at_ turn in
  let matrix := tabulate2 (one at_) (two at_)
    (fun bid reply => Qred (expectation r at_ turn (child c) bid reply)) in
  let A := cell matrix in
  let w := weight (one at_) (row p) in
  let z := weight (two at_) (column p) in
  all_known c && is_equilibrium (one at_) (two at_) A w z (value p) &&
  check_only (one at_) (two at_) A w z (value p) (only p).

(** A number for each card: nothing missing, and nothing more. *)
Definition complete (at_ : position) (p : plan) : bool :=
  let fits {S T} (l : list S) (m : list T) := Nat.eqb (length l) (length m) in
  fits (one at_) (row p) && fits (two at_) (column p) &&
  match only p with
  | None => true
  | Some (_, numerators) => fits (one at_) numerators && forallb (fits (two at_)) numerators
  end.

Fixpoint check_plans t at_ (ts : list (list Z)) (ps : list plan) : bool :=
  match ts, ps with
  | [], [] => true
  | turn :: ts', p :: ps' => complete at_ p && (check_plan t at_ turn p && check_plans t at_ ts' ps')
  | _, _ => false
  end.

Definition check_line (t : known) (l : line) : bool :=
  negb (match left (place l) with [] => true | _ => false end) &&
  check_plans t (place l) (turns r (place l)) (plans l) &&
  Qeq_bool (worth_of l * count (plans l)) (sum (plans l) value).

Fixpoint check (t : known) (lines : list line) : bool :=
  match lines with
  | [] => true
  | l :: rest => check_line t l && check (PositiveMap.add (code (place l)) (place l, worth_of l) t) rest
  end.

Definition certified (lines : list line) : bool := check (PositiveMap.empty _) lines.

End Rules.
