(** * Pure strategies

    A pure strategy never draws lots. Bošanský, Lisý, Lanctot, Čermák & Winands (_Algorithms for computing strategies
    in two-player simultaneous move games_, Artificial Intelligence 237, 2016, in their evaluation) report that the game
    of four cards has an equilibrium of pure strategies. Their prizes are 0 ... 3. Here is the proof that it has one with
    these prizes, and none with the prizes 1 ... 4 of other papers.

    Both follow from one number, which Coq computes: the most that a pure strategy guarantees. *)

From Coq Require Import QArith List Lqa Lia ZArith.
From Gops Require Import MatrixGame Game Symmetry Play OneGame.
Import ListNotations.
Open Scope Q_scope.

(** Each card is bid or not. *)
Definition certain (cards : list Z) (x : Z -> Q) : Prop := forall c, In c cards -> x c == 0 \/ x c == 1.

(** A strategy that is always certain. *)
Definition pure (r : rules) := always r certain.

(** The card for which [f] is greatest, and that number. *)
Fixpoint best (l : list Z) (f : Z -> Q) : Z * Q :=
  match l with
  | [] => (0%Z, 0)
  | [c] => (c, f c)
  | c :: rest => let b := best rest f in let v := f c in if Qle_bool (snd b) v then (c, v) else b
  end.

Lemma best_ok l f : l <> [] ->
  In (fst (best l f)) l /\ f (fst (best l f)) = snd (best l f) /\ forall c, In c l -> f c <= snd (best l f).
Proof.
  induction l as [|c [|d l] IH]; intros ne; [congruence| |].
  - simpl. split; [left; reflexivity|]. split; [reflexivity|]. intros e [<-|[]]. apply Qle_refl.
  - change (best (c :: d :: l) f) with
      (let b := best (d :: l) f in let v := f c in if Qle_bool (snd b) v then (c, v) else b). cbv zeta.
    destruct IH as (i & e & u); [congruence|]. destruct (Qle_bool (snd (best (d :: l) f)) (f c)) eqn:E; cbn [fst snd].
    + apply Qle_bool_iff in E. split; [left; reflexivity|]. split; [reflexivity|]. intros b [<-|h]; [apply Qle_refl|].
      eapply Qle_trans; [apply (u b h)|exact E].
    + assert (f c <= snd (best (d :: l) f)).
      { apply Qlt_le_weak, Qnot_le_lt. intros n. apply Qle_bool_iff in n. congruence. }
      split; [right; exact i|]. split; [exact e|]. intros b [<-|h]; auto.
Qed.

(** The strategy that bids one card. *)
Definition only_card (c d : Z) : Q := if Z.eqb d c then 1 else 0.

Lemma only_card_sum c l f : NoDup l -> In c l -> sum l (fun d => only_card c d * f d) == f c.
Proof.
  intros nd h. rewrite <- (sum_delta l c f nd h). apply sum_ext. intros d _. unfold delta, only_card.
  rewrite (Z.eqb_sym c d). ring.
Qed.

Lemma only_card_mixed c l : NoDup l -> In c l -> mixed l (only_card c).
Proof.
  intros nd h. split.
  - intros d _. unfold only_card. destruct (Z.eqb d c); lra.
  - rewrite (sum_ext _ _ (fun d => only_card c d * 1)) by (intros; ring). apply (only_card_sum c l (fun _ => 1) nd h).
Qed.

(** A pure choice is a choice of one card. *)
Lemma pure_choice (l : list Z) (x : Z -> Q) : mixed l x -> certain l x ->
  exists c, In c l /\ x c == 1 /\ forall f, sum l (fun d => x d * f d) == f c.
Proof.
  intros [pos one_] p. induction l as [|c l IH]; [simpl in one_; lra|]. simpl in one_.
  destruct (p c (or_introl eq_refl)) as [z|o].
  - destruct IH as (d & hd & o & all); [intros; apply pos; right; assumption|lra|intros d h; apply p; right; exact h|].
    exists d. split; [right; exact hd|]. split; [exact o|]. intros f. simpl. rewrite all, z. ring.
  - exists c. split; [left; reflexivity|]. split; [exact o|]. intros f. simpl. rewrite o.
    rewrite (sum_ext l _ (fun _ => 0)), sum_zero; [ring|].
    intros d hd. rewrite (sum_nothing l x); [ring|intros; apply pos; right; assumption|lra|exact hd].
Qed.

Lemma distinct_without c l : NoDup l -> NoDup (without c l).
Proof.
  induction 1 as [|d l out nd IH]; simpl; [constructor|]. destruct (Z.eqb d c); [exact nd|]. constructor; [|exact IH].
  intros h. apply out. eapply in_without. exact h.
Qed.

(** The position after a history. *)
Fixpoint reached (r : rules) (at_ : position) (h : history) : position :=
  match h with [] => at_ | e :: h' => reached r (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) h' end.

(** The cards of a hand differ, and there is one for every prize. *)
Record ready (at_ : position) : Prop := Ready {
  distinct_one : NoDup (one at_);
  distinct_two : NoDup (two at_);
  size_one : length (one at_) = length (left at_);
  size_two : length (two at_) = length (left at_)
}.

Section Pure.

Variable r : rules.

(** ** The most that a pure strategy guarantees *)

Fixpoint guaranteed (n : nat) (at_ : position) : Q :=
  match n with
  | O => final r at_
  | S n' => mean (turns r at_) (fun turn => snd (best (one at_) (fun bid => - snd (best (two at_) (fun reply =>
      - mean turn (fun p => inject_Z (gain r at_ p bid reply) + guaranteed n' (after r at_ p bid reply)))))))
  end.

(** What a bid is worth against a reply, against the reply that is worst for it, and that reply. *)
Definition against (n : nat) (at_ : position) (turn : list Z) (bid reply : Z) : Q :=
  mean turn (fun p => inject_Z (gain r at_ p bid reply) + guaranteed n (after r at_ p bid reply)).

Definition worst (n : nat) (at_ : position) (turn : list Z) (bid : Z) : Z * Q :=
  best (two at_) (fun reply => - against n at_ turn bid reply).

Definition safest (n : nat) (at_ : position) (turn : list Z) : Z * Q :=
  best (one at_) (fun bid => - snd (worst n at_ turn bid)).

Definition rounds_after (at_ : position) : nat := pred (length (left at_)).

(** Player one's safest pure strategy. *)
Definition cautious (at_ : position) : strategy := fun h turn =>
  let here := reached r at_ h in only_card (fst (safest (rounds_after here) here turn)).

(** Player two's answer to a pure strategy. *)
Definition answer (s : strategy) (at_ : position) : strategy := fun h turn =>
  let here := reached r at_ h in
  only_card (fst (worst (rounds_after here) here turn (hd 0%Z (filter (fun c => Qeq_bool (s h turn c) 1) (one here))))).

Lemma ready_after at_ turn p bid reply : ready at_ -> In turn (turns r at_) -> In p turn -> In bid (one at_) ->
  In reply (two at_) -> ready (after r at_ p bid reply).
Proof.
  intros [d1 d2 s1 s2] ht hp hb hr. pose proof (length_without p _ (turns_of_left r at_ turn p ht hp)).
  pose proof (length_without bid _ hb). pose proof (length_without reply _ hr).
  constructor; simpl; auto using distinct_without; lia.
Qed.

Lemma cards_left at_ n : ready at_ -> length (left at_) = S n -> one at_ <> [] /\ two at_ <> [].
Proof.
  intros [_ _ s1 s2] l. split; intros e; rewrite e in *; simpl in *; lia.
Qed.

Lemma cautious_ok n : forall at_, ready at_ -> length (left at_) = n ->
  legal r one n (cautious at_) at_ /\
  forall t, legal r two n t at_ -> guaranteed n at_ <= gain_of r n (cautious at_) t at_.
Proof.
  induction n as [|n IH]; intros at_ g l; [split; [exact I|intros; apply Qle_refl]|].
  destruct (cards_left at_ n g l) as [ne1 ne2].
  assert (forall turn, In turn (turns r at_) -> In (fst (safest n at_ turn)) (one at_)) as inside
    by (intros; apply best_ok; exact ne1).
  assert (forall turn p bid reply, In turn (turns r at_) -> In p turn -> In bid (one at_) -> In reply (two at_) ->
    legal r one n (cautious (after r at_ p bid reply)) (after r at_ p bid reply) /\
    forall t, legal r two n t (after r at_ p bid reply) -> guaranteed n (after r at_ p bid reply) <=
      gain_of r n (cautious (after r at_ p bid reply)) t (after r at_ p bid reply)) as next.
  { intros turn p bid reply ht hp hb hr. apply IH; [apply (ready_after at_ turn); assumption|].
    exact (left_after r at_ turn p bid reply n ht hp l). }
  assert (forall turn, cautious at_ [] turn = only_card (fst (safest n at_ turn))) as now.
  { intros turn. unfold cautious, rounds_after. simpl. rewrite l. reflexivity. }
  split.
  - intros turn ht. rewrite now. split; [apply only_card_mixed; [apply g|auto]|].
    intros p bid reply hp hb hr. exact (proj1 (next turn p bid reply ht hp hb hr)).
  - intros t lt. apply mean_le. intros turn ht. destruct (lt turn ht) as [[pos one_] rest]. rewrite now.
    change (snd (safest n at_ turn) <= sum (two at_) (fun reply => t [] turn reply * sum (one at_) (fun bid =>
      only_card (fst (safest n at_ turn)) bid * mean turn (fun p => inject_Z (gain r at_ p bid reply) +
        gain_of r n (cautious (after r at_ p bid reply)) (later (p, bid, reply) t) (after r at_ p bid reply))))).
    set (v := snd (safest n at_ turn)). assert (v == sum (two at_) (fun reply => t [] turn reply * v)) as ->.
    { rewrite (sum_ext _ _ (fun reply => v * t [] turn reply)) by (intros; ring). rewrite sum_scale, one_. ring. }
    apply sum_le. intros reply hr. apply scale_le; [exact (pos reply hr)|].
    rewrite only_card_sum by (apply g || auto). set (bid := fst (safest n at_ turn)).
    apply (Qle_trans _ (against n at_ turn bid reply)).
    + destruct (best_ok (one at_) (fun bid => - snd (worst n at_ turn bid)) ne1) as (_ & e & _).
      fold (safest n at_ turn) in e. fold v bid in e. rewrite <- e.
      destruct (best_ok (two at_) (fun reply => - against n at_ turn bid reply) ne2) as (_ & _ & u).
      specialize (u reply hr). cbv beta in u. fold (worst n at_ turn bid) in u. lra.
    + apply mean_le. intros p hp. apply Qplus_le_compat; [apply Qle_refl|].
      apply (next turn p bid reply ht hp (inside turn ht) hr).
      apply rest; [exact hp|exact (inside turn ht)|exact hr].
Qed.

Lemma answer_ok n : forall at_ s, ready at_ -> length (left at_) = n -> pure r one n s at_ ->
  legal r one n s at_ ->
  legal r two n (answer s at_) at_ /\ gain_of r n s (answer s at_) at_ <= guaranteed n at_.
Proof.
  induction n as [|n IH]; intros at_ s g l ps lg; [split; [exact I|apply Qle_refl]|].
  destruct (cards_left at_ n g l) as [ne1 ne2].
  assert (forall turn p bid reply, In turn (turns r at_) -> In p turn -> In bid (one at_) -> In reply (two at_) ->
    legal r two n (answer (later (p, bid, reply) s) (after r at_ p bid reply)) (after r at_ p bid reply) /\
    gain_of r n (later (p, bid, reply) s) (answer (later (p, bid, reply) s) (after r at_ p bid reply))
      (after r at_ p bid reply) <= guaranteed n (after r at_ p bid reply)) as next.
  { intros turn p bid reply ht hp hb hr. apply IH.
    - apply (ready_after at_ turn); assumption.
    - exact (left_after r at_ turn p bid reply n ht hp l).
    - apply (ps turn ht); assumption.
    - apply (lg turn ht); assumption. }
  (* the one card that s bids, and that the answer expects *)
  assert (forall turn, In turn (turns r at_) -> exists bid, In bid (one at_) /\
    (forall f, sum (one at_) (fun d => s [] turn d * f d) == f bid) /\
    answer s at_ [] turn = only_card (fst (worst n at_ turn bid))) as now.
  { intros turn ht. destruct (pure_choice (one at_) (s [] turn)) as (c & hc & o & all).
    { apply (lg turn ht). } { apply (ps turn ht). }
    unfold answer, rounds_after. simpl reached. rewrite l. simpl pred.
    set (cards := filter (fun c => Qeq_bool (s [] turn c) 1) (one at_)).
    assert (In c cards) as hc' by (apply filter_In; split; [exact hc|apply Qeq_bool_iff; exact o]).
    assert (In (hd 0%Z cards) cards) as hd_ by (destruct cards; [destruct hc'|left; reflexivity]).
    apply filter_In in hd_ as [hin e]. apply Qeq_bool_iff in e.
    assert (hd 0%Z cards = c) as <-; [|exists (hd 0%Z cards); auto].
    specialize (all (fun d => if Z.eqb d c then 0 else 1)). cbv beta in all. rewrite Z.eqb_refl in all.
    destruct (Z.eqb_spec (hd 0%Z cards) c) as [h|n0]; [exact h|].
    assert (s [] turn (hd 0%Z cards) * (if Z.eqb (hd 0%Z cards) c then 0 else 1) == 0) as zero.
    { apply (sum_nothing (one at_) (fun d => s [] turn d * (if Z.eqb d c then 0 else 1))); [|lra|exact hin].
      intros d hd'. pose proof (proj1 (proj1 (lg turn ht)) d hd'). destruct (Z.eqb d c); lra. }
    destruct (Z.eqb_spec (hd 0%Z cards) c); [congruence|]. lra. }
  split.
  - intros turn ht. destruct (now turn ht) as (bid & hb & _ & ->). split.
    + apply only_card_mixed; [apply g|]. apply best_ok. exact ne2.
    + intros p bid' reply hp hb' hr. exact (proj1 (next turn p bid' reply ht hp hb' hr)).
  - apply mean_le. intros turn ht. destruct (now turn ht) as (bid & hb & all & e). rewrite e.
    set (reply := fst (worst n at_ turn bid)).
    destruct (best_ok (two at_) (fun reply => - against n at_ turn bid reply) ne2) as (hr & w & _).
    fold (worst n at_ turn bid) in hr, w. fold reply in hr, w.
    rewrite only_card_sum by (apply g || auto). rewrite all.
    apply (Qle_trans _ (against n at_ turn bid reply)).
    + apply mean_le. intros p hp. apply Qplus_le_compat; [apply Qle_refl|].
      exact (proj2 (next turn p bid reply ht hp hb hr)).
    + destruct (best_ok (one at_) (fun bid => - snd (worst n at_ turn bid)) ne1) as (_ & _ & u).
      specialize (u bid hb). cbv beta in u. fold (safest n at_ turn) in u.
      rewrite <- w in u. change (against n at_ turn bid reply <= snd (safest n at_ turn)). lra.
Qed.

(** ** The players exchanged *)

Definition flipped (e : played) : played := (fst (fst e), snd e, snd (fst e)).

(** A player's strategy in the other's place. *)
Definition flip (s : strategy) : strategy := fun h => s (map flipped h).

Lemma always_flip ok (side other : position -> list Z) : (forall at_, other (mirrored at_) = side at_) ->
  forall n s at_, always r ok side n s at_ -> always r ok other n (flip s) (mirrored at_).
Proof.
  intros e. induction n as [|n IH]; intros s at_ l; [exact I|]. intros turn ht. destruct (l turn ht) as [m rest].
  rewrite e. split; [exact m|]. intros p bid reply hp hb hr. rewrite after_mirrored.
  apply (IH (later (p, reply, bid) s)). apply rest; assumption.
Qed.

Lemma gain_flipped n : forall s t at_,
  gain_of r n t (flip s) (mirrored at_) == - gain_of r n s (flip t) at_.
Proof.
  induction n as [|n IH]; intros s t at_.
  - simpl. unfold final. destruct (goal r); [reflexivity|]. simpl. rewrite Z.sgn_opp, inject_Z_opp. reflexivity.
  - simpl gain_of. change (turns r (mirrored at_)) with (turns r at_). unfold mean at 1 3, Qdiv.
    setoid_replace (sum (turns r at_) (fun turn => sum (one at_) (fun reply => flip s [] turn reply *
      sum (two at_) (fun bid => t [] turn bid * mean turn (fun p => inject_Z (gain r (mirrored at_) p bid reply) +
        gain_of r n (later (p, bid, reply) t) (later (p, bid, reply) (flip s)) (after r (mirrored at_) p bid reply))))))
    with (- sum (turns r at_) (fun turn => sum (two at_) (fun reply => flip t [] turn reply *
      sum (one at_) (fun bid => s [] turn bid * mean turn (fun p => inject_Z (gain r at_ p bid reply) +
        gain_of r n (later (p, bid, reply) s) (later (p, bid, reply) (flip t)) (after r at_ p bid reply)))))); [ring|].
    rewrite <- sum_opp. apply sum_ext. intros turn _.
    rewrite (both_ways (one at_) (two at_) (fun bid reply => mean turn (fun p => inject_Z (gain r at_ p bid reply) +
      gain_of r n (later (p, bid, reply) s) (later (p, bid, reply) (flip t)) (after r at_ p bid reply)))).
    rewrite <- sum_opp. apply sum_ext. intros bid _.
    change (flip s [] turn bid) with (s [] turn bid).
    match goal with |- _ == - (?a * ?b) => setoid_replace (- (a * b)) with (a * - b) by ring end.
    apply Qmult_comp; [reflexivity|].
    rewrite <- sum_opp. apply sum_ext. intros reply _.
    match goal with |- _ == - (?a * ?b) => setoid_replace (- (a * b)) with (b * - a) by ring end.
    change (flip t [] turn reply) with (t [] turn reply).
    unfold mean, Qdiv.
    rewrite (sum_ext turn _ (fun p => - (inject_Z (gain r at_ p bid reply) +
      gain_of r n (later (p, bid, reply) s) (later (p, bid, reply) (flip t)) (after r at_ p bid reply)))).
    + rewrite sum_opp. ring.
    + intros p _. rewrite gain_mirrored, inject_Z_opp, after_mirrored.
      rewrite (IH (later (p, bid, reply) s) (later (p, reply, bid) t)).
      change (flip (later (p, reply, bid) t)) with (later (p, bid, reply) (flip t)). ring.
Qed.

(** ** Equilibria of the whole game *)

Definition plays (at_ : position) (s t : strategy) : Prop :=
  legal r one (length (left at_)) s at_ /\ legal r two (length (left at_)) t at_.

Definition outcome (at_ : position) (s t : strategy) : Q := gain_of r (length (left at_)) s t at_.

(** Strategies from which neither player gains by changing. *)
Definition nash (at_ : position) (s t : strategy) : Prop :=
  plays at_ s t /\ forall s' t', plays at_ s' t' -> outcome at_ s' t <= outcome at_ s t <= outcome at_ s t'.

(** Where a position has a worth, as all have of which there is a certificate, there is an equilibrium. *)
Theorem nash_exists at_ v : worth r at_ v -> exists s t, nash at_ s t.
Proof.
  intros w. destruct (player_one_gains r at_ v w) as (s & ls & low), (player_two_concedes r at_ v w) as (t & lt & high).
  exists s, t. split; [split; assumption|]. intros s' t' [ls' lt']. unfold outcome.
  pose proof (low t lt). pose proof (low t' lt'). pose proof (high s ls). pose proof (high s' ls'). lra.
Qed.

Lemma pure_everywhere side n : forall s at_, (forall h turn c, s h turn c == 0 \/ s h turn c == 1) ->
  pure r side n s at_.
Proof.
  induction n as [|n IH]; intros s at_ p; [exact I|]. intros turn _. split; [intros c _; apply p|].
  intros q bid reply _ _ _. apply IH. intros h turn' c. apply p.
Qed.

Theorem pure_equilibrium at_ : ready at_ -> mirrored at_ = at_ -> guaranteed (length (left at_)) at_ == 0 ->
  exists s t, nash at_ s t /\ pure r one (length (left at_)) s at_ /\ pure r two (length (left at_)) t at_.
Proof.
  intros g m z. destruct (cautious_ok _ at_ g eq_refl) as [l most'].
  assert (forall t, legal r two (length (left at_)) t at_ ->
    0 <= gain_of r (length (left at_)) (cautious at_) t at_) as most by (intros t lt; rewrite <- z; auto). clear most'.
  exists (cautious at_), (flip (cautious at_)).
  assert (forall s, legal r one (length (left at_)) s at_ -> legal r two (length (left at_)) (flip s) at_) as lf.
  { intros s ls. pose proof (always_flip mixed one two (fun _ => eq_refl) _ s at_ ls) as e. rewrite m in e. exact e. }
  assert (forall s, legal r one (length (left at_)) s at_ ->
    gain_of r (length (left at_)) s (flip (cautious at_)) at_ <= 0) as least.
  { intros s ls. pose proof (gain_flipped (length (left at_)) (cautious at_) s at_) as e. rewrite m in e.
    pose proof (most (flip s) (lf s ls)). lra. }
  split; [split; [split; [exact l|auto]|]|split; apply pure_everywhere; intros h turn c;
    unfold flip, cautious, only_card; destruct (Z.eqb _ _); auto with qarith].
  intros s' t' [ls lt]. unfold outcome. pose proof (least _ l). pose proof (most _ (lf _ l)).
  pose proof (least s' ls). pose proof (most t' lt). lra.
Qed.

(** Strategies that are the same for all histories gain the same. *)
Lemma gain_same n : forall s s' t t' at_, (forall h, s h = s' h) -> (forall h, t h = t' h) ->
  gain_of r n s t at_ == gain_of r n s' t' at_.
Proof.
  induction n as [|n IH]; intros s s' t t' at_ es et; [reflexivity|]. apply mean_ext. intros turn _.
  apply sum_ext. intros reply _. rewrite et. apply Qmult_comp; [reflexivity|].
  apply sum_ext. intros bid _. rewrite es. apply Qmult_comp; [reflexivity|].
  apply mean_ext. intros p _. rewrite (IH (later (p, bid, reply) s) (later (p, bid, reply) s')
    (later (p, bid, reply) t) (later (p, bid, reply) t')); [reflexivity|intros; apply es|intros; apply et].
Qed.

Lemma flip_twice s h : flip (flip s) h = s h.
Proof.
  unfold flip. rewrite map_map. f_equal. rewrite <- (map_id h) at 2. apply map_ext. intros [[p bid] reply].
  reflexivity.
Qed.

(** If [s] is pure, player two has an answer that holds it to what pure strategies guarantee. With the strategy of
    player two, in her own place, player one would gain 0. *)
Lemma first_not_pure at_ s t : ready at_ -> mirrored at_ = at_ -> guaranteed (length (left at_)) at_ < 0 ->
  nash at_ s t -> ~ pure r one (length (left at_)) s at_.
Proof.
  intros g m neg [[ls lt] better] p. destruct (answer_ok _ at_ s g eq_refl p ls) as [la low].
  assert (legal r one (length (left at_)) (flip t) at_) as lf.
  { pose proof (always_flip mixed two one (fun _ => eq_refl) _ t at_ lt) as e. rewrite m in e. exact e. }
  destruct (better (flip t) (answer s at_)) as [h1 h2]; [split; assumption|].
  pose proof (gain_flipped (length (left at_)) (flip t) (flip t) at_) as zero. rewrite m in zero.
  rewrite (gain_same _ (flip t) (flip t) (flip (flip t)) t at_ (fun h => eq_refl) (flip_twice t)) in zero.
  unfold outcome in *. lra.
Qed.

(** The same players, each in the other's place. *)
Lemma nash_flipped at_ s t : mirrored at_ = at_ -> nash at_ s t -> nash at_ (flip t) (flip s).
Proof.
  intros m [[ls lt] better].
  assert (forall s, legal r one (length (left at_)) s at_ -> legal r two (length (left at_)) (flip s) at_) as f1.
  { intros s' l. pose proof (always_flip mixed one two (fun _ => eq_refl) _ s' at_ l) as e. rewrite m in e. exact e. }
  assert (forall s, legal r two (length (left at_)) s at_ -> legal r one (length (left at_)) (flip s) at_) as f2.
  { intros s' l. pose proof (always_flip mixed two one (fun _ => eq_refl) _ s' at_ l) as e. rewrite m in e. exact e. }
  assert (forall s t, gain_of r (length (left at_)) (flip t) (flip s) at_ ==
    - gain_of r (length (left at_)) s t at_) as swapped.
  { intros s' t'. pose proof (gain_flipped (length (left at_)) s' (flip t') at_) as e. rewrite m in e. rewrite e.
    rewrite (gain_same _ s' s' (flip (flip t')) t' at_ (fun h => eq_refl) (flip_twice t')). reflexivity. }
  split; [split; auto|]. intros s' t' [ls' lt']. unfold outcome in *. rewrite swapped.
  destruct (better (flip t') (flip s')) as [h1 h2]; [split; auto|].
  pose proof (swapped s (flip s')) as e1. pose proof (swapped (flip t') t) as e2.
  rewrite (gain_same _ (flip (flip s')) s' (flip s) (flip s) at_ (flip_twice s') (fun h => eq_refl)) in e1.
  rewrite (gain_same _ (flip t) (flip t) (flip (flip t')) t' at_ (fun h => eq_refl) (flip_twice t')) in e2. lra.
Qed.

Theorem no_pure_equilibrium at_ : ready at_ -> mirrored at_ = at_ -> guaranteed (length (left at_)) at_ < 0 ->
  forall s t, nash at_ s t -> ~ pure r one (length (left at_)) s at_ /\ ~ pure r two (length (left at_)) t at_.
Proof.
  intros g m neg s t n. split; [apply (first_not_pure at_ s t); assumption|]. intros p.
  apply (first_not_pure at_ (flip t) (flip s) g m neg); [apply nash_flipped; assumption|].
  pose proof (always_flip certain two one (fun _ => eq_refl) _ t at_ p) as e. rewrite m in e. exact e.
Qed.

End Pure.

(** ** Four cards *)

Definition four (goal_ : objective) : rules := Rules goal_ Discard Random.

Definition with_prizes (deck : list Z) : position := start [1; 2; 3; 4]%Z deck.

Lemma four_ready deck : length deck = 4%nat -> ready (with_prizes deck).
Proof.
  assert (NoDup [1; 2; 3; 4]%Z) as nd by (apply distinct_ok; reflexivity).
  intros l. constructor; simpl; auto.
Qed.

(** For points and to win alike. *)
Theorem prizes_from_0 goal_ : let r := four goal_ in let at_ := with_prizes [0; 1; 2; 3]%Z in
  exists s t, nash r at_ s t /\ pure r one 4 s at_ /\ pure r two 4 t at_.
Proof.
  apply (pure_equilibrium (four goal_)); [apply four_ready; reflexivity|reflexivity|].
  destruct goal_; vm_compute; reflexivity.
Qed.

(** Whoever plays a pure strategy plays no equilibrium. *)
Theorem prizes_from_1 goal_ : let r := four goal_ in let at_ := with_prizes [1; 2; 3; 4]%Z in
  forall s t, nash r at_ s t -> ~ pure r one 4 s at_ /\ ~ pure r two 4 t at_.
Proof.
  apply (no_pure_equilibrium (four goal_)); [apply four_ready; reflexivity|reflexivity|].
  destruct goal_; vm_compute; reflexivity.
Qed.

Print Assumptions nash_exists.
Print Assumptions prizes_from_0.
Print Assumptions prizes_from_1.
