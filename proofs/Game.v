(** * The game

    Both players hold cards. A round: a prize is turned up, both bid a card at once, the higher card wins the
    prize, both cards are gone. Ross (1970, section 3) gave the recursion for its value: the bids of a round are
    a matrix game whose entries are what the round pays at once and what the position after it is worth; a
    position is worth the mean of the values of these games over the prizes that may come.

    The rules of the literature are [Rules Points Discard Random]. [Play.v] proves that the recursion means what
    it should: what it calls the worth is what each player can guarantee in the whole game. *)

From Coq Require Import QArith List Lqa ZArith Bool.
From Gops Require Import MatrixGame.
Import ListNotations.
Open Scope Q_scope.

(** ** Rules *)

Inductive objective :=
| Points  (* a game is worth the points won less the opponent's *)
| Win.    (* a game is worth 1 to who has more points, -1 to who has fewer, 0 to both if they have as many *)

Inductive ties :=
| Discard    (* if the bids are equal, nobody gets the prize *)
| Carryover. (* it is added to the next prize; nobody gets what is left at the end *)

Inductive order :=
| Random  (* any prize left may come, each as likely, and is seen before the bids *)
| Hidden  (* it comes in the same way, and is seen after the bids *)
| Known.  (* the first prize of the list comes, and both players know the list *)

Record rules := Rules { goal : objective; tied : ties; prizes : order }.

(** ** Positions *)

Record position := Position {
  one : list Z;    (* player one's cards *)
  two : list Z;    (* player two's cards *)
  left : list Z;   (* the prizes left *)
  margin : Z;      (* player one's points so far less player two's; 0 if the objective is points *)
  pot : Z          (* the points carried over from ties; 0 if they are discarded *)
}.

(** The start: both players hold the same cards. *)
Definition start (hand deck : list Z) : position := Position hand hand deck 0 0.

(** A list without a card, or without one of the prizes of that many points. *)
Fixpoint without (c : Z) (l : list Z) : list Z :=
  match l with [] => [] | d :: rest => if Z.eqb d c then rest else d :: without c rest end.

Section Rounds.

Variable r : rules.

(** 1 if the bid is higher than the reply, -1 if it is lower, 0 if they tie. *)
Definition winner (bid reply : Z) : Z := Z.sgn (bid - reply).

(** The points of a round: the prize and the pot. *)
Definition stake (at_ : position) (p : Z) : Z := p + pot at_.

(** What player one gains at once. *)
Definition gain (at_ : position) (p bid reply : Z) : Z :=
  match goal r with Points => winner bid reply * stake at_ p | Win => 0 end.

(** The position after a round. *)
Definition after (at_ : position) (p bid reply : Z) : position := {|
  one := without bid (one at_);
  two := without reply (two at_);
  left := without p (left at_);
  margin := match goal r with Points => 0 | Win => margin at_ + winner bid reply * stake at_ p end;
  pot := match tied r with
         | Discard => 0
         | Carryover => if Z.eqb (winner bid reply) 0 then stake at_ p else 0
         end
|}.

(** What a game that is over is worth, beyond what was gained at once. *)
Definition final (at_ : position) : Q :=
  match goal r with Points => 0 | Win => inject_Z (Z.sgn (margin at_)) end.

(** The turns that may come next, each as likely. A turn is the list of prizes that the bids may be for:
    one prize, or all that are left where the prize is hidden. *)
Definition turns (at_ : position) : list (list Z) :=
  match prizes r, left at_ with
  | _, [] => []
  | Random, deck => map (fun p => [p]) deck
  | Hidden, deck => [deck]
  | Known, p :: _ => [[p]]
  end.

(** Player one's expectation at a turn for each pair of bids, if [f p bid reply] is what the position is worth
    that follows the prize [p]. *)
Definition expectation (at_ : position) (turn : list Z) (f : Z -> Z -> Z -> Q) (bid reply : Z) : Q :=
  mean turn (fun p => inject_Z (gain at_ p bid reply) + f p bid reply).

(** [following at_ turn f]: [f] says what the positions that follow are worth, in the sense of [W]. *)
Definition following (W : position -> Q -> Prop) (at_ : position) (turn : list Z) (f : Z -> Z -> Z -> Q) :=
  forall p bid reply, In p turn -> In bid (one at_) -> In reply (two at_) ->
    W (after at_ p bid reply) (f p bid reply).

Definition average (l : list Q) : Q := mean l (fun u => u).

(** ** The worth of a position: Ross's recursion *)

Inductive worth : position -> Q -> Prop :=
| over at_ v : left at_ = [] -> v == final at_ -> worth at_ v
| round at_ f us v :
    left at_ <> [] ->
    (forall turn, In turn (turns at_) -> following worth at_ turn f) ->
    Forall2 (fun turn u => is_value (one at_) (two at_) (expectation at_ turn f) u) (turns at_) us ->
    v == average us ->
    worth at_ v.

(** What Coq makes of the definition is too weak for proofs by induction, as [worth] is hidden in
    [following]; this is the same with the hypothesis for the positions that follow. *)
Lemma worth_ind_following (P : position -> Q -> Prop) :
  (forall at_ v, left at_ = [] -> v == final at_ -> P at_ v) ->
  (forall at_ f us v, left at_ <> [] ->
    (forall turn, In turn (turns at_) -> following worth at_ turn f) ->
    (forall turn, In turn (turns at_) -> following P at_ turn f) ->
    Forall2 (fun turn u => is_value (one at_) (two at_) (expectation at_ turn f) u) (turns at_) us ->
    v == average us -> P at_ v) ->
  forall at_ v, worth at_ v -> P at_ v.
Proof.
  intros base step. fix IH 3. intros at_ v [at' w e h | at' f us w ne next vals m].
  - apply base; assumption.
  - eapply step; eauto. intros turn ht p bid reply hp hb hr. apply IH. exact (next turn ht p bid reply hp hb hr).
Qed.

Lemma worth_eq at_ v w : v == w -> worth at_ v -> worth at_ w.
Proof.
  intros e H. revert w e. destruct H as [at_ u l h | at_ f us u ne next vals m]; intros w e.
  - apply over; [assumption|]. rewrite <- e. assumption.
  - eapply round; eauto. rewrite <- e. assumption.
Qed.

(** Strategies [x] and [y] that are optimal at a turn, where [v] is the value. *)
Definition optimal_bids (at_ : position) (turn : list Z) (x y : Z -> Q) (v : Q) : Prop :=
  exists f, following worth at_ turn f /\ equilibrium (one at_) (two at_) (expectation at_ turn f) x y v.

(** [x] is player one's only optimal strategy at a turn. *)
Definition only_bids (at_ : position) (turn : list Z) (x : Z -> Q) : Prop :=
  forall x' y' v', optimal_bids at_ turn x' y' v' -> forall bid, In bid (one at_) -> x' bid == x bid.

Definition only_replies (at_ : position) (turn : list Z) (y : Z -> Q) : Prop :=
  forall x' y' v', optimal_bids at_ turn x' y' v' -> forall reply, In reply (two at_) -> y' reply == y reply.

(** ** A position has one worth *)

Lemma expectation_ext at_ turn f g bid reply :
  (forall p, In p turn -> f p bid reply == g p bid reply) ->
  expectation at_ turn f bid reply == expectation at_ turn g bid reply.
Proof. intros E. apply mean_ext. intros p h. rewrite (E p h). reflexivity. Qed.

Lemma average_ext : forall us ws, Forall2 Qeq us ws -> average us == average ws.
Proof.
  intros us ws E. unfold average, mean, count.
  assert (length us = length ws /\ sum us (fun u => u) == sum ws (fun u => u)) as [-> ->].
  { induction E as [|u w us ws e _ [l s]]; simpl; [split; reflexivity|].
    rewrite l, e, s. split; reflexivity. }
  reflexivity.
Qed.

Theorem worth_unique at_ v : worth at_ v -> forall w, worth at_ w -> v == w.
Proof.
  revert at_ v. apply (worth_ind_following (fun at_ v => forall w, worth at_ w -> v == w)).
  - intros at_ v e h w H. inversion H; subst; [rewrite h; symmetry; assumption|congruence].
  - intros at_ f us v ne next IH vals m w H.
    inversion H as [at' w' l h | at' g ws w' ne' next' vals' m']; subst; [congruence|].
    rewrite m, m'. apply average_ext. clear m m' H ne ne'.
    revert us ws vals vals'. induction (turns at_) as [|turn rest IHr]; intros us ws vals vals';
      inversion vals as [|? u ? us' hu hus]; inversion vals' as [|? u' ? ws' hw hws]; subst; constructor.
    + eapply value_unique; [exact hu|]. eapply is_value_ext; [|exact hw].
      intros bid reply hb hr. apply expectation_ext. intros p hp. symmetry.
      exact (IH turn (or_introl eq_refl) p bid reply hp hb hr _ (next' turn (or_introl eq_refl) p bid reply hp hb hr)).
    + apply IHr; auto; intros t ht; [apply next|apply IH|apply next']; right; assumption.
Qed.

End Rounds.
