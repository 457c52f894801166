(** * Game trees

    A two-player zero-sum game with moves of chance and information sets; a strategy has probabilities for each
    set. Here are what it means that two strategies are an equilibrium and that a number is the value; a checker,
    which computes the best reply to each strategy in one pass over the tree; and the proof that what it accepts is true.

    The best reply knows all earlier moves of its own player. A player who forgets moves could not do better, so the
    checker is sound for every tree, and accepts what is true where nobody forgets. *)

From Coq Require Import String QArith List Lqa ZArith Bool.
Import ListNotations.
Open Scope Q_scope.

(** ** Games and strategies *)

Inductive player := One | Two.

Definition other (p : player) : player := match p with One => Two | Two => One end.

Inductive tree :=
| End (payoff : Q)                                             (* what player one gains, and player two loses *)
| Chance (draws : list (Q * tree))                             (* with these probabilities *)
| Move (mover : player) (set : string) (after : list tree).    (* both players at once: one after the other *)

(** The probabilities of the moves at each information set, in the order of the moves. *)
Definition strategy := string -> list Q.

(** The sum of products of two lists. *)
Fixpoint dot (p v : list Q) : Q :=
  match p, v with a :: p, b :: v => a * b + dot p v | _, _ => 0 end.

(** What player one expects. *)
Fixpoint payoff (x y : strategy) (t : tree) : Q :=
  match t with
  | End v => v
  | Chance draws => dot (map fst draws) (map (fun d => payoff x y (snd d)) draws)
  | Move One i after => dot (x i) (map (payoff x y) after)
  | Move Two i after => dot (y i) (map (payoff x y) after)
  end.

Definition total (p : list Q) : Q := fold_right (fun a b => Qred (a + b)) 0 p.

(** Probabilities for [n] things: at least 0, with the sum 1. *)
Definition distribution (n : nat) (p : list Q) : Prop :=
  length p = n /\ Forall (fun a => 0 <= a) p /\ total p == 1.

Definition all {T} (P : T -> Prop) (l : list T) : Prop := fold_right and True (map P l).

(** Chance has probabilities everywhere. *)
Fixpoint proper (t : tree) : Prop :=
  match t with
  | End _ => True
  | Chance draws => distribution (length draws) (map fst draws) /\ all (fun d => proper (snd d)) draws
  | Move _ _ after => all proper after
  end.

(** A strategy of a player has probabilities at each of the player's sets. *)
Fixpoint legal (who : player) (s : strategy) (t : tree) : Prop :=
  match t with
  | End _ => True
  | Chance draws => all (fun d => legal who s (snd d)) draws
  | Move mover i after => (mover = who -> distribution (length after) (s i)) /\ all (legal who s) after
  end.

(** With [x] player one gains at least [v] against every strategy of player two, who with [y] concedes at most [v]. *)
Definition equilibrium (g : tree) (x y : strategy) (v : Q) : Prop :=
  proper g /\ legal One x g /\ legal Two y g /\
  (forall y', legal Two y' g -> v <= payoff x y' g) /\ (forall x', legal One x' g -> payoff x' y g <= v).

Definition is_value (g : tree) (v : Q) : Prop := exists x y, equilibrium g x y v.

Theorem value_unique g v w : is_value g v -> is_value g w -> v == w.
Proof.
  intros (x & y & _ & lx & ly & gx & gy) (x' & y' & _ & lx' & ly' & gx' & gy').
  pose proof (gx y' ly'). pose proof (gy' x lx). pose proof (gx' y ly). pose proof (gy x' lx'). lra.
Qed.

(** ** The checker *)

(** Trees that the replying player cannot tell apart, each with the probability that chance and the opponent's strategy
    lead to it. *)
Definition belief := list (Q * tree).

(** Sets of the replying player, with what may follow each move. *)
Definition groups := list (string * list belief).

Fixpoint merge (a b : list belief) : list belief :=
  match a, b with
  | x :: a, y :: b => (x ++ y) :: merge a b
  | [], _ => b
  | _, [] => a
  end.

Fixpoint insert (i : string) (after : list belief) (gs : groups) : groups :=
  match gs with
  | [] => [(i, after)]
  | (j, those) :: gs => if String.eqb i j then (j, merge after those) :: gs else (j, those) :: insert i after gs
  end.

Section Reply.

Variable x : strategy.

(** Player two replies to [x]: add a tree of weight [w] to the payoffs of ends that come without another move of player
    two, and to the sets at which player two moves next. *)
Fixpoint spread (w : Q) (t : tree) (acc : Q * groups) {struct t} : Q * groups :=
  match t with
  | End v => (Qred (fst acc + w * v), snd acc)
  | Chance draws =>
    (fix go ds acc := match ds with
                      | [] => acc
                      | d :: ds => go ds (spread (Qred (w * fst d)) (snd d) acc)
                      end) draws acc
  | Move One i after =>
    (fix go ts ps acc := match ts, ps with
                         | t :: ts, p :: ps => go ts ps (if Qeq_bool p 0 then acc else spread (Qred (w * p)) t acc)
                         | _, _ => acc
                         end) after (x i) acc
  | Move Two i after => (fst acc, insert i (map (fun t => [(w, t)]) after) (snd acc))
  end.

Fixpoint least (l : list (option Q)) : option Q :=
  match l with
  | [] => None
  | [a] => a
  | a :: l => match a, least l with
              | Some a, Some b => Some (if Qle_bool a b then a else b)
              | _, _ => None
              end
  end.

Fixpoint sum_from (a : Q) (l : list (option Q)) : option Q :=
  match l with
  | [] => Some a
  | Some b :: l => sum_from (Qred (a + b)) l
  | None :: _ => None
  end.

(** The least that player two can concede against [x]; [None] if that needs more than [n] moves. *)
Fixpoint reply (n : nat) (b : belief) : option Q :=
  match n with
  | O => None
  | S n =>
    let (ends, gs) := fold_left (fun acc wt => spread (fst wt) (snd wt) acc) b (0, []) in
    sum_from ends (map (fun g => least (map (reply n) (snd g))) gs)
  end.

End Reply.

(** The game as the other player sees it. *)
Fixpoint mirror (t : tree) : tree :=
  match t with
  | End v => End (- v)
  | Chance draws => Chance (map (fun d => (fst d, mirror (snd d))) draws)
  | Move mover i after => Move (other mover) i (map mirror after)
  end.

Fixpoint depth (t : tree) : nat :=
  match t with
  | End _ => 1
  | Chance draws => S (fold_right max O (map (fun d => depth (snd d)) draws))
  | Move _ _ after => S (fold_right max O (map depth after))
  end.

Definition is_distribution (n : nat) (p : list Q) : bool :=
  Nat.eqb (length p) n && forallb (Qle_bool 0) p && Qeq_bool (total p) 1.

Fixpoint is_proper (t : tree) : bool :=
  match t with
  | End _ => true
  | Chance draws => is_distribution (length draws) (map fst draws) && forallb (fun d => is_proper (snd d)) draws
  | Move _ _ after => forallb is_proper after
  end.

Fixpoint is_legal (who : player) (s : strategy) (t : tree) : bool :=
  match t with
  | End _ => true
  | Chance draws => forallb (fun d => is_legal who s (snd d)) draws
  | Move mover i after =>
    match mover, who with
    | One, One | Two, Two => is_distribution (length after) (s i)
    | _, _ => true
    end && forallb (is_legal who s) after
  end.

Definition guarantees (g : tree) (x : strategy) (v : Q) : bool :=
  match reply x (depth g) [(1, g)] with Some r => Qle_bool v r | None => false end.

Definition certified (g : tree) (x y : strategy) (v : Q) : bool :=
  is_proper g && is_legal One x g && is_legal Two y g && guarantees g x v && guarantees (mirror g) y (- v).

(** Strategies as lists. *)
Definition plan := list (string * list Q).

Definition playing (p : plan) : strategy :=
  fun i => match find (fun e => String.eqb i (fst e)) p with Some e => snd e | None => [] end.

(** ** What the checker accepts is true *)

Local Arguments Qred : simpl never.
Local Arguments Qplus : simpl never.
Local Arguments Qmult : simpl never.
Local Arguments Qopp : simpl never.
Local Arguments Qeq_bool : simpl never.
Local Arguments Qle_bool : simpl never.

Lemma tree_induction (P : tree -> Prop) :
  (forall v, P (End v)) ->
  (forall draws, Forall (fun d => P (snd d)) draws -> P (Chance draws)) ->
  (forall mover i after, Forall P after -> P (Move mover i after)) ->
  forall t, P t.
Proof.
  intros e c m. fix IH 1. intros [v | draws | mover i after].
  - apply e.
  - apply c. induction draws as [|d draws IHd]; constructor; [apply IH | exact IHd].
  - apply m. induction after as [|t after IHt]; constructor; [apply IH | exact IHt].
Qed.

Lemma all_Forall {T} (P : T -> Prop) l : all P l <-> Forall P l.
Proof.
  unfold all. induction l as [|a l IH]; simpl; [split; auto|]. rewrite IH. split.
  - intros []. constructor; auto.
  - intros H. inversion H. auto.
Qed.

Lemma dot_ext p : forall v w, Forall2 Qeq v w -> dot p v == dot p w.
Proof.
  induction p as [|a p IH]; intros v w H; destruct H as [|b c v w e H]; simpl; try reflexivity.
  rewrite e, (IH v w H). reflexivity.
Qed.

Lemma dot_scale p w : forall v, dot p (map (Qmult w) v) == w * dot p v.
Proof. induction p as [|a p IH]; intros [|b v]; simpl; try ring. rewrite IH. ring. Qed.

Lemma is_distribution_sound n p : is_distribution n p = true -> distribution n p.
Proof.
  unfold is_distribution, distribution. rewrite !andb_true_iff. intros [[l f] s].
  split; [apply Nat.eqb_eq; exact l|]. split; [|apply Qeq_bool_eq; exact s].
  apply Forall_forall. intros a h. apply Qle_bool_iff. rewrite forallb_forall in f. auto.
Qed.

Lemma is_proper_sound t : is_proper t = true -> proper t.
Proof.
  induction t as [v | draws IH | mover i after IH] using tree_induction; simpl; auto.
  - rewrite andb_true_iff. intros [d f]. split; [apply is_distribution_sound; exact d|].
    apply all_Forall. rewrite forallb_forall in f. rewrite Forall_forall in *. auto.
  - intros f. apply all_Forall. rewrite forallb_forall in f. rewrite Forall_forall in *. auto.
Qed.

Lemma is_legal_sound who s t : is_legal who s t = true -> legal who s t.
Proof.
  induction t as [v | draws IH | mover i after IH] using tree_induction; simpl; auto.
  - intros f. apply all_Forall. rewrite forallb_forall in f. rewrite Forall_forall in *. auto.
  - rewrite andb_true_iff. intros [d f]. split.
    + destruct mover, who; intros e; try discriminate e; apply is_distribution_sound; exact d.
    + apply all_Forall. rewrite forallb_forall in f. rewrite Forall_forall in *. auto.
Qed.

Section Sound.

Variables x y : strategy.

Definition worth (b : belief) : Q := fold_right (fun wt a => fst wt * payoff x y (snd wt) + a) 0 b.

Definition worth_of_groups (gs : groups) : Q :=
  fold_right (fun g a => dot (y (fst g)) (map worth (snd g)) + a) 0 gs.

Definition worth_of (acc : Q * groups) : Q := fst acc + worth_of_groups (snd acc).

Definition ok (wt : Q * tree) : Prop :=
  0 <= fst wt /\ proper (snd wt) /\ legal One x (snd wt) /\ legal Two y (snd wt).

Definition ok_groups (gs : groups) : Prop :=
  Forall (fun g => distribution (length (snd g)) (y (fst g)) /\ Forall (Forall ok) (snd g)) gs.

Lemma worth_app a b : worth (a ++ b) == worth a + worth b.
Proof. induction a; simpl; [ring|]. rewrite IHa. ring. Qed.

Lemma dot_merge p : forall a b, dot p (map worth (merge a b)) == dot p (map worth a) + dot p (map worth b).
Proof.
  induction p as [|q p IH]; intros [|u a] [|v b]; simpl; try ring. rewrite worth_app, IH. ring.
Qed.

Lemma worth_insert i after gs :
  worth_of_groups (insert i after gs) == dot (y i) (map worth after) + worth_of_groups gs.
Proof.
  induction gs as [|[j those] gs IH]; simpl; [ring|]. destruct (String.eqb_spec i j) as [<-|ne]; simpl.
  - rewrite dot_merge. ring.
  - rewrite IH. ring.
Qed.

Lemma worth_spread t : forall w acc, worth_of (spread x w t acc) == worth_of acc + w * payoff x y t.
Proof.
  induction t as [v | draws IH | mover i after IH] using tree_induction; intros w acc.
  - unfold worth_of. cbn [spread payoff fst snd]. rewrite Qred_correct. ring.
  - simpl. revert acc. induction IH as [|d draws e _ IHd]; intros acc; [simpl; ring|].
    cbn [map dot]. rewrite IHd, e, Qred_correct. cbn [fst snd]. ring.
  - destruct mover; simpl.
    + revert acc. generalize (x i) as ps. induction IH as [|t after e _ IHt]; intros [|p ps] acc; simpl; try ring.
      rewrite IHt. destruct (Qeq_bool p 0) eqn:z.
      * apply Qeq_bool_eq in z. rewrite z. ring.
      * rewrite e, Qred_correct. ring.
    + unfold worth_of. simpl. rewrite worth_insert, <- dot_scale, map_map.
      rewrite (dot_ext (y i) _ (map (fun t => w * payoff x y t) after)).
      * rewrite <- map_map. ring.
      * clear. induction after as [|t after IHt]; simpl; constructor; [simpl; ring | exact IHt].
Qed.

Lemma ok_merge : forall a b, length a = length b -> Forall (Forall ok) a -> Forall (Forall ok) b ->
  length (merge a b) = length b /\ Forall (Forall ok) (merge a b).
Proof.
  induction a as [|u a IH]; intros [|v b] l oa ob; try discriminate l; simpl; [auto|].
  inversion oa; inversion ob; subst. destruct (IH b) as [l' o]; auto.
  split; [rewrite l'; reflexivity|]. constructor; [apply Forall_app; auto | exact o].
Qed.

Lemma ok_insert i after gs :
  distribution (length after) (y i) -> Forall (Forall ok) after -> ok_groups gs -> ok_groups (insert i after gs).
Proof.
  intros d o H. unfold ok_groups in *. induction H as [|[j those] gs [e p] H IH]; simpl in *; [auto|].
  destruct (String.eqb_spec i j) as [<-|ne]; [|constructor; auto].
  destruct (ok_merge after those) as [l m]; auto.
  - destruct d as [<- _], e as [<- _]. reflexivity.
  - constructor; [|exact H]. simpl. unfold belief in *. rewrite l. auto.
Qed.

Lemma ok_spread t : forall w acc, ok (w, t) -> ok_groups (snd acc) -> ok_groups (snd (spread x w t acc)).
Proof.
  induction t as [v | draws IH | mover i after IH] using tree_induction; intros w acc (pw & pr & l1 & l2) H; simpl in *.
  - exact H.
  - destruct pr as [[_ [ps _]] pr]. apply all_Forall in pr, l1, l2.
    revert acc H ps pr l1 l2. induction IH as [|d draws e _ IHd]; intros acc H ps pr l1 l2; [exact H|].
    simpl in ps. inversion ps; inversion pr; inversion l1; inversion l2; subst. apply IHd; auto. apply e; auto.
    split; [cbn [fst snd]; rewrite Qred_correct; apply Qmult_le_0_compat; assumption | auto].
  - apply all_Forall in pr. destruct l1 as [d1 l1], l2 as [d2 l2]. apply all_Forall in l1, l2. destruct mover.
    + destruct (d1 eq_refl) as (_ & ps & _). clear d1 d2.
      revert acc H pr l1 l2 ps. generalize (x i) as p.
      induction IH as [|t after e _ IHt]; intros [|p ps] acc H pr l1 l2 pp; try exact H.
      inversion pp; inversion pr; inversion l1; inversion l2; subst. apply IHt; auto.
      destruct (Qeq_bool p 0); [exact H|]. apply e; [|exact H].
      split; [cbn [fst snd]; rewrite Qred_correct; apply Qmult_le_0_compat; assumption | auto].
    + simpl. apply ok_insert; [rewrite map_length; auto | | exact H]. clear - pw pr l1 l2.
      rewrite Forall_forall in *. intros b h. apply in_map_iff in h as (t & <- & h).
      constructor; [|constructor]. unfold ok. simpl. auto.
Qed.

Lemma spread_all b : forall acc, Forall ok b -> ok_groups (snd acc) ->
  let after := fold_left (fun acc wt => spread x (fst wt) (snd wt) acc) b acc in
  ok_groups (snd after) /\ worth_of after == worth_of acc + worth b.
Proof.
  induction b as [|[w t] b IH]; intros acc o H; simpl; [split; [exact H | ring]|].
  inversion o; subst. destruct (IH (spread x w t acc)) as [g e]; auto; [apply ok_spread; assumption|].
  split; [exact g|]. rewrite e, worth_spread. ring.
Qed.

Lemma least_below : forall l r, least l = Some r -> Forall (fun q => exists a, q = Some a /\ r <= a) l.
Proof.
  induction l as [|q l IH]; intros r e; [discriminate e|]. destruct l as [|q' l].
  - constructor; [|constructor]. exists r. split; [exact e | lra].
  - change (match q, least (q' :: l) with Some a, Some b => Some (if Qle_bool a b then a else b) | _, _ => None end
      = Some r) in e.
    destruct q as [a|]; [|discriminate e]. destruct (least (q' :: l)) as [b|]; [|discriminate e].
    specialize (IH b eq_refl). injection e as <-. destruct (Qle_bool a b) eqn:c.
    + apply Qle_bool_iff in c. constructor; [exists a; split; [reflexivity | lra]|].
      eapply Forall_impl; [|exact IH]. intros q (a' & -> & h). exists a'. split; [reflexivity | lra].
    + constructor; [|exact IH]. exists a. split; [reflexivity|].
      assert (~ a <= b) by (rewrite <- Qle_bool_iff; congruence). lra.
Qed.

(** The mean is at least the least. *)
Lemma mean_above r : forall p v, length p = length v -> Forall (fun a => 0 <= a) p -> Forall (fun b => r <= b) v ->
  r * total p <= dot p v.
Proof.
  induction p as [|a p IH]; intros [|b v] l hp hv; try discriminate l; simpl; [lra|].
  inversion hp; inversion hv; subst. injection l as l. specialize (IH v l H2 H6).
  rewrite Qred_correct. nra.
Qed.

Lemma sum_from_below : forall l v a r,
  Forall2 (fun a b => match a with Some a => a <= b | None => True end) l v ->
  sum_from a l = Some r -> r <= a + fold_right Qplus 0 v.
Proof.
  induction l as [|[b|] l IH]; intros v a r H e; inversion H; subst; simpl in *; try discriminate e.
  - injection e as <-. lra.
  - specialize (IH _ _ _ H4 e). rewrite Qred_correct in IH. lra.
Qed.

Theorem reply_below : forall n b r, Forall ok b -> reply x n b = Some r -> r <= worth b.
Proof.
  induction n as [|n IH]; intros b r o e; [discriminate e|]. simpl in e.
  destruct (spread_all b (0, [])) as [g w]; [exact o | constructor|].
  destruct (fold_left (fun acc wt => spread x (fst wt) (snd wt) acc) b (0, [])) as [ends gs].
  unfold worth_of in w. simpl in g, w.
  assert (r <= ends + fold_right Qplus 0 (map (fun g => dot (y (fst g)) (map worth (snd g))) gs)) as H.
  { refine (sum_from_below _ _ _ _ _ e). clear w e. induction g as [|[i kids] gs [d k] g IHg]; simpl; constructor; auto.
    destruct (least (map (reply x n) kids)) as [a|] eqn:L; [|exact I]. destruct d as (l & p & s).
    assert (Forall (fun b => a <= b) (map worth kids)) as F.
    { apply least_below in L. rewrite Forall_forall in *. intros v h. apply in_map_iff in h as (b' & <- & h).
      destruct (L (reply x n b') (in_map _ _ _ h)) as (a' & R & le). simpl in k. specialize (IH b' a' (k b' h) R). lra. }
    simpl in l. assert (a * total (y i) <= dot (y i) (map worth kids)) as M.
    { apply mean_above; [rewrite map_length; exact l | exact p | exact F]. }
    simpl in s. rewrite s in M. lra. }
  assert (fold_right Qplus 0 (map (fun g => dot (y (fst g)) (map worth (snd g))) gs) == worth_of_groups gs) as E.
  { clear. induction gs; simpl; [reflexivity|]. rewrite IHgs. reflexivity. }
  rewrite E in H. lra.
Qed.

Lemma payoff_mirror t : payoff y x (mirror t) == - payoff x y t.
Proof.
  assert (forall p v, dot p (map Qopp v) == - dot p v) as neg.
  { induction p as [|a p IH]; intros [|b v]; simpl; try ring. rewrite IH. ring. }
  induction t as [v | draws IH | mover i after IH] using tree_induction; simpl.
  - reflexivity.
  - rewrite <- neg, !map_map. simpl. apply dot_ext. induction IH; simpl; constructor; auto.
  - destruct mover; simpl; rewrite <- neg, !map_map; apply dot_ext; induction IH; simpl; constructor; auto.
Qed.

End Sound.

Lemma proper_mirror t : proper t -> proper (mirror t).
Proof.
  induction t as [v | draws IH | mover i after IH] using tree_induction; simpl; auto.
  - rewrite map_length, map_map. simpl. intros [d a]. split; [exact d|]. apply all_Forall. apply all_Forall in a.
    rewrite Forall_forall in *. intros e h. apply in_map_iff in h as (d' & <- & h). simpl. auto.
  - intros a. apply all_Forall. apply all_Forall in a.
    rewrite Forall_forall in *. intros e h. apply in_map_iff in h as (d' & <- & h). auto.
Qed.

Lemma legal_mirror who s t : legal who s t -> legal (other who) s (mirror t).
Proof.
  induction t as [v | draws IH | mover i after IH] using tree_induction; simpl; auto.
  - intros a. apply all_Forall. apply all_Forall in a.
    rewrite Forall_forall in *. intros e h. apply in_map_iff in h as (d' & <- & h). simpl. auto.
  - rewrite map_length. intros [d a]. split.
    + destruct mover, who; simpl in *; intros e; try discriminate e; auto.
    + apply all_Forall. apply all_Forall in a.
      rewrite Forall_forall in *. intros e h. apply in_map_iff in h as (d' & <- & h). auto.
Qed.

Lemma guarantees_sound g x v : guarantees g x v = true -> proper g -> legal One x g ->
  forall y, legal Two y g -> v <= payoff x y g.
Proof.
  unfold guarantees. intros H pr lx y ly. destruct (reply x (depth g) [(1, g)]) as [r|] eqn:R; [|discriminate H].
  apply Qle_bool_iff in H. assert (r <= worth x y [(1, g)]) as B.
  { apply (reply_below x y (depth g)); [|exact R]. constructor; [|constructor].
    unfold ok. simpl. split; [lra | auto]. }
  unfold worth in B. simpl in B. lra.
Qed.

Theorem sound g x y v : certified g x y v = true -> equilibrium g x y v.
Proof.
  unfold certified. rewrite !andb_true_iff. intros [[[[pr lx] ly] gx] gy].
  apply is_proper_sound in pr. apply is_legal_sound in lx, ly. split; [exact pr|]. split; [exact lx|].
  split; [exact ly|]. split; [apply guarantees_sound; assumption|]. intros x' lx'.
  pose proof (guarantees_sound (mirror g) y (- v) gy (proper_mirror g pr) (legal_mirror Two y g ly) x'
    (legal_mirror One x' g lx')) as B.
  rewrite payoff_mirror in B. lra.
Qed.

Print Assumptions sound.
Print Assumptions value_unique.
