(** * The recursion means what it should

    [Game.v] defines the worth of a position by Ross's recursion. Here the game is played: a player's strategy says,
    after everything that happened so far and for what is seen now, with which probability each card is bid. The
    theorem: player one has a strategy that gains at least the worth of the position on average, against every
    strategy of player two; and player two has one that concedes at most that. *)

From Coq Require Import QArith List Lqa Lia ZArith.
From Gops Require Import MatrixGame Game Symmetry.
Import ListNotations.
Open Scope Q_scope.

(** A round that was played: the prize, player one's bid and player two's; and all rounds so far, in order. *)
Definition played := (Z * Z * Z)%type.
Definition history := list played.

(** The probability of a card, after a history and at a turn: the prize that is seen, or all that may come. *)
Definition strategy := history -> list Z -> Z -> Q.

(** What is left of a strategy after a round. *)
Definition later (e : played) (s : strategy) : strategy := fun h => s (e :: h).

Section Play.

Variable r : rules.

(** Player one's gain on average over [n] rounds if the players follow [s] and [t]. *)
Fixpoint gain_of (n : nat) (s t : strategy) (at_ : position) : Q :=
  match n with
  | O => final r at_
  | S n' => mean (turns r at_) (fun turn =>
      sum (two at_) (fun reply => t [] turn reply * sum (one at_) (fun bid => s [] turn bid *
        mean turn (fun p => inject_Z (gain r at_ p bid reply) +
          gain_of n' (later (p, bid, reply) s) (later (p, bid, reply) t) (after r at_ p bid reply)))))
  end.

(** [ok cards x]: the probabilities [x] are fit for the cards of a hand. This says that they are so whenever the player
    has to bid who holds the cards [side at_], after whatever bids. *)
Fixpoint always (ok : list Z -> (Z -> Q) -> Prop) (side : position -> list Z) (n : nat) (s : strategy)
    (at_ : position) : Prop :=
  match n with
  | O => True
  | S n' => forall turn, In turn (turns r at_) -> ok (side at_) (s [] turn) /\
      forall p bid reply, In p turn -> In bid (one at_) -> In reply (two at_) ->
        always ok side n' (later (p, bid, reply) s) (after r at_ p bid reply)
  end.

(** A strategy: it always has probabilities. *)
Definition legal := always mixed.

(** From a choice for each member of a list, a function that chooses. *)
Lemma choice {A B} (dec : forall a b : A, {a = b} + {a <> b}) (R : A -> B -> Prop) (other : B) (l : list A) :
  (forall a, In a l -> exists b, R a b) -> exists f, forall a, In a l -> R a (f a).
Proof.
  induction l as [|c l IH]; intros H; [exists (fun _ => other); intros a []|].
  destruct IH as [f hf]; [intros a h; apply H; right; exact h|].
  destruct (H c (or_introl eq_refl)) as [b hb].
  exists (fun a => if dec a c then b else f a). intros a h. destruct (dec a c) as [->|n]; [exact hb|].
  apply hf. destruct h; [congruence|assumption].
Qed.

Definition dec_turn := list_eq_dec Z.eq_dec.

Definition dec_played : forall a b : played, {a = b} + {a <> b}.
Proof. intros [[a b] c] [[d e] f]. decide equality; [apply Z.eq_dec|decide equality; apply Z.eq_dec]. Defined.

(** The rounds that may be played next. *)
Definition rounds (at_ : position) : list played :=
  list_prod (list_prod (concat (turns r at_)) (one at_)) (two at_).

Lemma in_rounds at_ p bid reply : In (p, bid, reply) (rounds at_) <->
  (exists turn, In turn (turns r at_) /\ In p turn) /\ In bid (one at_) /\ In reply (two at_).
Proof.
  unfold rounds. rewrite !in_prod_iff, in_concat. firstorder.
Qed.

Lemma mean_le {T} (l : list T) f g : (forall t, In t l -> f t <= g t) -> mean l f <= mean l g.
Proof.
  intros H. destruct l as [|t l]; [apply Qle_refl|]. unfold mean, Qdiv.
  apply Qmult_le_compat_r; [apply sum_le; exact H|]. apply Qlt_le_weak, Qinv_lt_0_compat, count_positive. congruence.
Qed.

Lemma scale_le c a b : 0 <= c -> a <= b -> c * a <= c * b.
Proof. intros. nra. Qed.

(** The values of the turns, as a function of the turn. *)
Lemma value_of_turn {A} (V : A -> Q -> Prop) ts us :
  Forall2 V ts us -> forall g, (forall t u, V t u -> In t ts -> u <= g t) -> average us <= mean ts g.
Proof.
  intros H g le. unfold average, mean.
  assert (sum us (fun u => u) <= sum ts g /\ length us = length ts) as [s l].
  { induction H as [|t u ts us v _ IH]; simpl; [split; [lra|reflexivity]|].
    destruct IH as [a b]; [intros; apply le; [assumption|right; assumption]|].
    pose proof (le t u v (or_introl eq_refl)). split; [lra|congruence]. }
  unfold count. rewrite l. destruct ts as [|t ts]; [destruct us; [apply Qle_refl|discriminate]|].
  apply Qmult_le_compat_r; [exact s|]. apply Qlt_le_weak, Qinv_lt_0_compat.
  apply (count_positive (t :: ts)). congruence.
Qed.

Lemma value_of_turn_above {A} (V : A -> Q -> Prop) ts us :
  Forall2 V ts us -> forall g, (forall t u, V t u -> In t ts -> g t <= u) -> mean ts g <= average us.
Proof.
  intros H g le. unfold average, mean.
  assert (sum ts g <= sum us (fun u => u) /\ length us = length ts) as [s l].
  { induction H as [|t u ts us v _ IH]; simpl; [split; [lra|reflexivity]|].
    destruct IH as [a b]; [intros; apply le; [assumption|right; assumption]|].
    pose proof (le t u v (or_introl eq_refl)). split; [lra|congruence]. }
  unfold count. rewrite l. destruct ts as [|t ts]; [destruct us; [apply Qle_refl|discriminate]|].
  apply Qmult_le_compat_r; [exact s|]. apply Qlt_le_weak, Qinv_lt_0_compat.
  apply (count_positive (t :: ts)). congruence.
Qed.

Lemma left_after at_ turn p bid reply n : In turn (turns r at_) -> In p turn -> length (left at_) = S n ->
  length (left (after r at_ p bid reply)) = n.
Proof.
  intros ht hp l. pose proof (length_without p _ (turns_of_left r at_ turn p ht hp)). simpl. lia.
Qed.

Theorem player_one_gains at_ v : worth r at_ v -> exists s, legal one (length (left at_)) s at_ /\
  forall t, legal two (length (left at_)) t at_ -> v <= gain_of (length (left at_)) s t at_.
Proof.
  revert at_ v. apply (worth_ind_following r (fun at_ v => exists s, legal one (length (left at_)) s at_ /\
    forall t, legal two (length (left at_)) t at_ -> v <= gain_of (length (left at_)) s t at_)).
  - intros at_ v e h. rewrite e. exists (fun _ _ _ => 0). simpl. split; [exact I|]. intros _ _. rewrite h. lra.
  - intros at_ f us v ne next IH vals m.
    destruct (length (left at_)) as [|n] eqn:L; [destruct (left at_); [congruence|discriminate]|].
    (* an optimal strategy for each turn, and one for all that follows each round *)
    assert (exists x, forall turn, In turn (turns r at_) -> exists y u,
      equilibrium (one at_) (two at_) (expectation r at_ turn f) (x turn) y u) as [x hx].
    { apply (choice dec_turn (fun turn x => exists y u,
        equilibrium (one at_) (two at_) (expectation r at_ turn f) x y u) (fun _ => 0)).
      intros turn ht. clear - vals ht. induction vals as [|t u ts us (x & y & e) _ IHv]; [destruct ht|].
      destruct ht as [<-|ht]; [exists x, y, u; exact e|auto]. }
    assert (exists S, forall e, In e (rounds at_) -> legal one n (S e) (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) /\
      forall t, legal two n t (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) ->
        f (fst (fst e)) (snd (fst e)) (snd e) <=
        gain_of n (S e) t (after r at_ (fst (fst e)) (snd (fst e)) (snd e))) as [S hS].
    { apply (choice dec_played (fun e s => legal one n s (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) /\
        forall t, legal two n t (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) ->
          f (fst (fst e)) (snd (fst e)) (snd e) <=
          gain_of n s t (after r at_ (fst (fst e)) (snd (fst e)) (snd e))) (fun _ _ _ => 0)).
      intros [[p bid] reply] h. apply in_rounds in h as ((turn & ht & hp) & hb & hr). simpl fst. simpl snd.
      pose proof (IH turn ht p bid reply hp hb hr) as IH'. cbv beta in IH'.
      rewrite (left_after at_ turn p bid reply n ht hp L) in IH'. exact IH'. }
    exists (fun h turn => match h with [] => x turn | e :: h' => S e h' turn end). split.
    + simpl. intros turn ht. destruct (hx turn ht) as (y & u & e). split; [apply e|].
      intros p bid reply hp hb hr. apply (hS (p, bid, reply)). apply in_rounds. eauto.
    + intros t ht. simpl in ht. simpl gain_of. rewrite m.
      apply (value_of_turn _ (turns r at_) us vals). intros turn u hv hturn.
      destruct (hx turn hturn) as (y & u' & e). pose proof (ht turn hturn) as [mt lt].
      assert (u == u') as -> by (eapply value_unique; [exact hv|exists (x turn), y; exact e]).
      destruct e as (mx & my & g & c).
      eapply Qle_trans; [apply (at_least _ _ _ (x turn) (t [] turn) u' mt g)|].
      apply sum_le. intros reply hr. apply scale_le; [apply mt; exact hr|].
      apply sum_le. intros bid hb. apply scale_le; [apply mx; exact hb|].
      apply mean_le. intros p hp. apply Qplus_le_compat; [lra|].
      apply (hS (p, bid, reply)); [apply in_rounds; eauto|]. apply lt; assumption.
Qed.

Theorem player_two_concedes at_ v : worth r at_ v -> exists t, legal two (length (left at_)) t at_ /\
  forall s, legal one (length (left at_)) s at_ -> gain_of (length (left at_)) s t at_ <= v.
Proof.
  revert at_ v. apply (worth_ind_following r (fun at_ v => exists t, legal two (length (left at_)) t at_ /\
    forall s, legal one (length (left at_)) s at_ -> gain_of (length (left at_)) s t at_ <= v)).
  - intros at_ v e h. rewrite e. exists (fun _ _ _ => 0). simpl. split; [exact I|]. intros _ _. rewrite h. lra.
  - intros at_ f us v ne next IH vals m.
    destruct (length (left at_)) as [|n] eqn:L; [destruct (left at_); [congruence|discriminate]|].
    assert (exists y, forall turn, In turn (turns r at_) -> exists x u,
      equilibrium (one at_) (two at_) (expectation r at_ turn f) x (y turn) u) as [y hy].
    { apply (choice dec_turn (fun turn y => exists x u,
        equilibrium (one at_) (two at_) (expectation r at_ turn f) x y u) (fun _ => 0)).
      intros turn ht. clear - vals ht. induction vals as [|t u ts us (x & y & e) _ IHv]; [destruct ht|].
      destruct ht as [<-|ht]; [exists y, x, u; exact e|auto]. }
    assert (exists S, forall e, In e (rounds at_) -> legal two n (S e) (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) /\
      forall s, legal one n s (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) ->
        gain_of n s (S e) (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) <=
        f (fst (fst e)) (snd (fst e)) (snd e)) as [S hS].
    { apply (choice dec_played (fun e t => legal two n t (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) /\
        forall s, legal one n s (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) ->
          gain_of n s t (after r at_ (fst (fst e)) (snd (fst e)) (snd e)) <=
          f (fst (fst e)) (snd (fst e)) (snd e)) (fun _ _ _ => 0)).
      intros [[p bid] reply] h. apply in_rounds in h as ((turn & ht & hp) & hb & hr). simpl fst. simpl snd.
      pose proof (IH turn ht p bid reply hp hb hr) as IH'. cbv beta in IH'.
      rewrite (left_after at_ turn p bid reply n ht hp L) in IH'. exact IH'. }
    exists (fun h turn => match h with [] => y turn | e :: h' => S e h' turn end). split.
    + simpl. intros turn ht. destruct (hy turn ht) as (x & u & e). split; [apply e|].
      intros p bid reply hp hb hr. apply (hS (p, bid, reply)). apply in_rounds. eauto.
    + intros s hs. simpl in hs. simpl gain_of. rewrite m.
      apply (value_of_turn_above _ (turns r at_) us vals). intros turn u hv hturn.
      destruct (hy turn hturn) as (x & u' & e). pose proof (hs turn hturn) as [ms ls].
      assert (u == u') as -> by (eapply value_unique; [exact hv|exists x, (y turn); exact e]).
      destruct e as (mx & my & g & c).
      eapply Qle_trans; [|apply (at_most _ _ _ (s [] turn) (y turn) u' ms c)]. rewrite <- both_ways.
      apply sum_le. intros reply hr. apply scale_le; [apply my; exact hr|].
      apply sum_le. intros bid hb. apply scale_le; [apply ms; exact hb|].
      apply mean_le. intros p hp. apply Qplus_le_compat; [lra|].
      apply (hS (p, bid, reply)); [apply in_rounds; eauto|]. apply ls; assumption.
Qed.

End Play.

Print Assumptions player_one_gains.
Print Assumptions player_two_concedes.
