(** * Ross's theorems

    Two theorems of Ross (1970, _Goofspiel: the game of pure strategy_), for hands and decks of any size:

    - Against a player who discards at random nothing is better than to match: to bid the i-th lowest card for the
      i-th lowest prize (section 2, theorem 1).
    - If the prizes are hidden, to discard at random is optimal for both (section 4, theorem 2).

    docs/ross.md says the proof of the first in words. *)

From Coq Require Import QArith List Lqa Lia ZArith Sorted.
From Gops Require Import MatrixGame Game Symmetry Play.
Import ListNotations.
Open Scope Q_scope.

(** ** The player who discards at random *)

(** Any card that is left, each as likely. *)
Definition at_random (hand : list Z) : strategy := fun h _ _ =>
  / count (fold_left (fun cards e => without (snd e) cards) h hand).

(** The mean result of a card against a hand that is discarded at random: 1 is a win, -1 a loss, 0 a tie. *)
Definition mean_result (hand : list Z) (c : Z) : Q := mean hand (fun d => inject_Z (winner c d)).

Lemma sum_without c l f : In c l -> sum (without c l) f == sum l f - f c.
Proof.
  induction l as [|d l IH]; simpl; [tauto|]. intros h. destruct (Z.eqb_spec d c) as [->|n]; [ring|].
  simpl. rewrite IH; [ring|]. destruct h; [congruence|assumption].
Qed.

Lemma count_without c l : In c l -> count (without c l) == count l - 1.
Proof.
  intros h. unfold count. rewrite (length_without c l h), Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. ring.
Qed.

(** What a number is on average after a discard at random, if it is itself an average over the cards left. *)
Lemma mean_without l f : (2 <= length l)%nat -> mean l (fun c => mean (without c l) f) == mean l f.
Proof.
  intros two. assert (1 < count l) as big.
  { unfold count. change 1 with (inject_Z 1). rewrite <- Zlt_Qlt. lia. }
  unfold mean at 1 2. rewrite (sum_ext l _ (fun c => / (count l - 1) * (sum l f + - f c))).
  - rewrite sum_scale, sum_plus, sum_opp.
    assert (sum l (fun _ => sum l f) == count l * sum l f) as ->.
    { assert (l <> []) as ne by (destruct l; [simpl in two; lia|congruence]).
      pose proof (mean_constant l (sum l f) ne) as E. unfold mean in E.
      apply (Qmult_inj_r _ _ (/ count l)); [intros z; assert (count l * / count l == 1) by (field; lra); nra|].
      unfold Qdiv in E. rewrite E. field. lra. }
    unfold mean. field. lra.
  - intros c h. unfold mean. rewrite (sum_without c l f h), (count_without c l h). field. lra.
Qed.

(** ** Prizes and cards in pairs *)

(** The sum of the products of each prize and the number [f] of its card. *)
Definition paired (prizes cards : list Z) (f : Z -> Q) : Q :=
  sum (combine prizes cards) (fun e => inject_Z (fst e) * f (snd e)).

(** The card that stands where the prize stands in its list. *)
Fixpoint partner (p : Z) (prizes cards : list Z) : Z :=
  match prizes, cards with
  | q :: prizes', c :: cards' => if Z.eqb q p then c else partner p prizes' cards'
  | _, _ => 0%Z
  end.

Lemma partner_in p prizes : forall cards, length cards = length prizes -> In p prizes ->
  In (partner p prizes cards) cards.
Proof.
  induction prizes as [|q prizes IH]; intros [|c cards] l h; simpl in *; try tauto; try discriminate.
  destruct (Z.eqb_spec q p) as [->|n]; [left; reflexivity|]. right. apply IH; [lia|]. destruct h; [congruence|auto].
Qed.

(** A prize and its partner may be taken out of the pairs. *)
Lemma paired_partner f p prizes : forall cards, NoDup cards -> length cards = length prizes -> In p prizes ->
  paired prizes cards f ==
  inject_Z p * f (partner p prizes cards) + paired (without p prizes) (without (partner p prizes cards) cards) f.
Proof.
  unfold paired. induction prizes as [|q prizes IH]; intros [|c cards] nd l h; simpl in *; try tauto; try discriminate.
  inversion nd as [|? ? out nd']; subst. destruct (Z.eqb_spec q p) as [->|n].
  - rewrite Z.eqb_refl. reflexivity.
  - assert (In p prizes) as h' by (destruct h; [congruence|assumption]).
    destruct (Z.eqb_spec c (partner p prizes cards)) as [e|_].
    + destruct out. rewrite e. apply partner_in; [lia|assumption].
    + simpl. rewrite (IH cards nd' ltac:(lia) h'). ring.
Qed.

(** To pair the prizes with the cards in another order gives no more: one prize and any card taken out. *)
Lemma paired_best f : (forall c d, (c < d)%Z -> f c <= f d) -> forall prizes cards p c,
  StronglySorted Z.le prizes -> StronglySorted Z.lt cards -> length cards = length prizes ->
  In p prizes -> In c cards ->
  inject_Z p * f c + paired (without p prizes) (without c cards) f <= paired prizes cards f.
Proof.
  intros up. unfold paired. induction prizes as [|p0 prizes IH]; intros [|c0 cards] p c sp sc l hp hc;
    try (simpl in *; tauto); try discriminate.
  inversion sp as [|? ? sp' above_p]; subst. inversion sc as [|? ? sc' above_c]; subst.
  rewrite Forall_forall in above_p, above_c. simpl in l, hp, hc. simpl without.
  destruct (Z.eqb_spec p0 p) as [<-|np], (Z.eqb_spec c0 c) as [<-|nc].
  - simpl. lra.
  - destruct hc as [|hc]; [congruence|]. destruct prizes as [|p1 prizes]; [destruct cards; [destruct hc|discriminate]|].
    pose proof (IH cards p1 c sp' sc' ltac:(lia) (or_introl eq_refl) hc) as E. simpl without in E.
    rewrite Z.eqb_refl in E. pose proof (above_p p1 (or_introl eq_refl)) as q. rewrite Zle_Qle in q.
    pose proof (up c0 c (above_c c hc)). simpl in *. nra.
  - destruct hp as [|hp]; [congruence|]. destruct cards as [|c1 cards]; [destruct prizes; [destruct hp|discriminate]|].
    pose proof (IH (c1 :: cards) p c1 sp' sc' ltac:(lia) hp (or_introl eq_refl)) as E. simpl without in E.
    rewrite Z.eqb_refl in E. pose proof (above_p p hp) as q. rewrite Zle_Qle in q.
    pose proof (up c0 c1 (above_c c1 (or_introl eq_refl))). simpl in *. nra.
  - destruct hp as [|hp]; [congruence|]. destruct hc as [|hc]; [congruence|].
    pose proof (IH cards p c sp' sc' ltac:(lia) hp hc). simpl. lra.
Qed.

Lemma mean_result_up hand c d : (c < d)%Z -> mean_result hand c <= mean_result hand d.
Proof.
  intros lt. apply mean_le. intros e _. rewrite <- Zle_Qle. unfold winner.
  destruct (Z.lt_trichotomy c e) as [a|[a|a]], (Z.lt_trichotomy d e) as [b|[b|b]]; try lia;
    destruct (c - e)%Z eqn:E, (d - e)%Z eqn:F; simpl; lia.
Qed.

Lemma sorted_without {R} c l : StronglySorted R l -> StronglySorted R (without c l).
Proof.
  induction 1 as [|d l s IH above]; simpl; [constructor|]. destruct (Z.eqb d c); [exact s|]. constructor; [exact IH|].
  rewrite Forall_forall in *. intros e h. apply above. eapply in_without. exact h.
Qed.

Lemma sorted_distinct l : StronglySorted Z.lt l -> NoDup l.
Proof.
  induction 1 as [|d l s IH above]; constructor; [|exact IH]. intros h. rewrite Forall_forall in above.
  specialize (above d h). lia.
Qed.

(** ** Theorem 1 *)

Definition usual := Rules Points Discard Random.

(** The cards and the prizes in ascending order, a card for every prize, and no points carried over. *)
Record in_order (at_ : position) : Prop := InOrder {
  cards_up : StronglySorted Z.lt (one at_);
  prizes_up : StronglySorted Z.le (left at_);
  enough_one : length (one at_) = length (left at_);
  enough_two : length (two at_) = length (left at_);
  no_pot : pot at_ = 0%Z
}.

(** The card of the prize's rank, among the cards and prizes that are left. *)
Definition matching (hand deck : list Z) : strategy := fun h turn bid =>
  let cards := fold_left (fun cards e => without (snd (fst e)) cards) h hand in
  let prizes := fold_left (fun prizes e => without (fst (fst e)) prizes) h deck in
  if Z.eqb bid (partner (hd 0%Z turn) prizes cards) then 1 else 0.

(** What matching gains on average: each prize times the mean result of its card. *)
Definition matched (at_ : position) : Q := paired (left at_) (one at_) (mean_result (two at_)).

Lemma in_order_after at_ p bid reply : in_order at_ -> In p (left at_) -> In bid (one at_) -> In reply (two at_) ->
  in_order (after usual at_ p bid reply).
Proof.
  intros [cu pu e1 e2 np] hp hb hr. pose proof (length_without p _ hp).
  pose proof (length_without bid _ hb). pose proof (length_without reply _ hr).
  constructor; simpl; auto using sorted_without; lia.
Qed.

Lemma cards_of_two at_ p : in_order at_ -> In p (left at_) -> 0 < count (two at_).
Proof.
  intros o hp. apply count_positive. pose proof (enough_two at_ o). intros e. rewrite e in *.
  destruct (left at_); [destruct hp|discriminate].
Qed.

Lemma mean_one {T} (t : T) f : mean [t] f == f t.
Proof. unfold mean, count. simpl. field. Qed.

(** A bid gains its mean result for the prize, and matching the rest gains as if nothing were known of the reply. *)
Lemma bid_gains at_ p bid : in_order at_ -> In p (left at_) -> In bid (one at_) ->
  sum (two at_) (fun reply =>
    (inject_Z (gain usual at_ p bid reply) + matched (after usual at_ p bid reply)) * / count (two at_)) ==
  inject_Z p * mean_result (two at_) bid +
  paired (without p (left at_)) (without bid (one at_)) (mean_result (two at_)).
Proof.
  intros o hp hb. pose proof (cards_of_two at_ p o hp).
  set (pairs := combine (without p (left at_)) (without bid (one at_))).
  rewrite (sum_ext (two at_) _ (fun reply => / count (two at_) * (inject_Z p * inject_Z (winner bid reply)) +
    / count (two at_) * sum pairs (fun e => inject_Z (fst e) * mean_result (without reply (two at_)) (snd e)))).
  - rewrite sum_plus, !sum_scale, sum_swap. unfold paired. fold pairs. apply Qplus_comp.
    + unfold mean_result, mean. field. lra.
    + rewrite <- sum_scale. apply sum_ext. intros [q c] h. simpl.
      rewrite sum_scale. unfold mean_result. rewrite <- (mean_without (two at_)).
      * unfold mean at 2. field. lra.
      * apply in_combine_l in h. pose proof (length_without p _ hp). rewrite (enough_two at_ o).
        destruct (without p (left at_)); [destruct h|simpl in *; lia].
  - intros reply _. unfold gain, stake, matched, paired. simpl. rewrite (no_pot at_ o), Z.add_0_r.
    rewrite inject_Z_mult. fold pairs. ring.
Qed.

Lemma turn_of_one at_ turn : In turn (turns usual at_) -> exists p, turn = [p] /\ In p (left at_).
Proof.
  assert (turns usual at_ = map (fun p => [p]) (left at_)) as -> by (unfold turns; destruct (left at_); reflexivity).
  intros h. apply in_map_iff in h as (p & <- & hp). eauto.
Qed.

(** The gain of a turn, summed by player one's bids. *)
Lemma turn_gains at_ p n (s : strategy) :
  sum (two at_) (fun reply => at_random (two at_) [] [p] reply * sum (one at_) (fun bid => s [] [p] bid *
    mean [p] (fun q => inject_Z (gain usual at_ q bid reply) +
      gain_of usual n (later (q, bid, reply) s) (later (q, bid, reply) (at_random (two at_)))
        (after usual at_ q bid reply)))) ==
  sum (one at_) (fun bid => s [] [p] bid * sum (two at_) (fun reply => (inject_Z (gain usual at_ p bid reply) +
    gain_of usual n (later (p, bid, reply) s) (at_random (without reply (two at_)))
      (after usual at_ p bid reply)) * / count (two at_))).
Proof.
  rewrite <- (both_ways (one at_) (two at_) _ (s [] [p]) (fun _ => / count (two at_))).
  apply sum_ext. intros reply _. apply Qmult_comp; [reflexivity|]. apply sum_ext. intros bid _.
  rewrite mean_one. reflexivity.
Qed.

(** Nothing gains more on average against the random player than [matched]. *)
Theorem matching_is_best n : forall at_ s, in_order at_ -> length (left at_) = n -> legal usual one n s at_ ->
  gain_of usual n s (at_random (two at_)) at_ <= matched at_.
Proof.
  induction n as [|n IH]; intros at_ s o l lg.
  - unfold matched, paired. destruct (left at_); [apply Qle_refl|discriminate].
  - assert (turns usual at_ <> []) as ne by (apply turns_not_empty; destruct (left at_); discriminate).
    rewrite <- (mean_constant (turns usual at_) (matched at_) ne). apply mean_le. intros turn ht.
    destruct (lg turn ht) as [m rest]. apply turn_of_one in ht as (p & -> & hp). rewrite turn_gains.
    apply (Qle_trans _ (sum (one at_) (fun bid => s [] [p] bid * sum (two at_) (fun reply =>
      (inject_Z (gain usual at_ p bid reply) + matched (after usual at_ p bid reply)) * / count (two at_))))).
    + apply sum_le. intros bid hb. apply scale_le; [apply m; exact hb|]. apply sum_le. intros reply hr.
      apply Qmult_le_compat_r; [|apply Qlt_le_weak, Qinv_lt_0_compat, (cards_of_two at_ p o hp)].
      apply Qplus_le_compat; [apply Qle_refl|].
      apply (IH (after usual at_ p bid reply)); [apply in_order_after; assumption| |].
      * pose proof (length_without p _ hp). simpl. lia.
      * apply rest; [left; reflexivity|assumption|assumption].
    + apply (at_most (one at_) (two at_) _ _ (fun _ => / count (two at_)) _ m). intros bid hb.
      rewrite bid_gains by assumption.
      apply paired_best; auto using mean_result_up, cards_up, prizes_up, enough_one.
Qed.

Lemma sum_at l c f : NoDup l -> In c l -> sum l (fun d => (if Z.eqb d c then 1 else 0) * f d) == f c.
Proof.
  intros nd h. rewrite <- (sum_delta l c f nd h). apply sum_ext. intros d _. unfold delta.
  rewrite (Z.eqb_sym c d). ring.
Qed.

(** Matching is a strategy, and gains that much. *)
Theorem matching_gains n : forall at_, in_order at_ -> length (left at_) = n ->
  legal usual one n (matching (one at_) (left at_)) at_ /\
  gain_of usual n (matching (one at_) (left at_)) (at_random (two at_)) at_ == matched at_.
Proof.
  induction n as [|n IH]; intros at_ o l.
  - split; [exact I|]. unfold matched, paired. destruct (left at_); [reflexivity|discriminate].
  - assert (forall p bid reply, In p (left at_) -> In bid (one at_) -> In reply (two at_) ->
      legal usual one n (matching (without bid (one at_)) (without p (left at_))) (after usual at_ p bid reply) /\
      gain_of usual n (matching (without bid (one at_)) (without p (left at_)))
        (at_random (without reply (two at_))) (after usual at_ p bid reply) ==
      matched (after usual at_ p bid reply)) as next.
    { intros p bid reply hp hb hr. apply (IH (after usual at_ p bid reply)); [apply in_order_after; assumption|].
      pose proof (length_without p _ hp). simpl. lia. }
    pose proof (sorted_distinct _ (cards_up at_ o)) as nd.
    split.
    + intros turn ht. apply turn_of_one in ht as (p & -> & hp).
      pose proof (partner_in p (left at_) (one at_) (enough_one at_ o) hp) as hc. split; [split|].
      * intros bid _. unfold matching. simpl. destruct (Z.eqb _ _); lra.
      * rewrite (sum_ext _ _ (fun d => (if Z.eqb d (partner p (left at_) (one at_)) then 1 else 0) * 1))
          by (intros; unfold matching; simpl; ring).
        apply (sum_at _ _ (fun _ => 1) nd hc).
      * intros q bid reply [<-|[]] hb hr. apply next; assumption.
    + assert (turns usual at_ <> []) as ne by (apply turns_not_empty; destruct (left at_); discriminate).
      rewrite <- (mean_constant (turns usual at_) (matched at_) ne). apply mean_ext. intros turn ht.
      apply turn_of_one in ht as (p & -> & hp). rewrite turn_gains.
      pose proof (partner_in p (left at_) (one at_) (enough_one at_ o) hp) as hc.
      rewrite (sum_at (one at_) (partner p (left at_) (one at_)) _ nd hc).
      unfold matched at 1. rewrite (paired_partner _ p (left at_) (one at_) nd (enough_one at_ o) hp).
      rewrite <- bid_gains by assumption. apply sum_ext. intros reply hr. apply Qmult_comp; [|reflexivity].
      apply Qplus_comp; [reflexivity|]. apply next; assumption.
Qed.

Print Assumptions matching_is_best.
Print Assumptions matching_gains.

(** With the cards 1 ... 13, which is the game of a pack of cards: 28 points (corollary 1 (iii)). *)
Example thirteen_cards : let deck := map Z.of_nat (seq 1 13) in matched (start deck deck) == 28.
Proof. reflexivity. Qed.

(** ** Theorem 2 *)

Definition hidden := Rules Points Discard Hidden.

(** The mean prize times the results that are expected of player one's cards. *)
Definition by_chance (at_ : position) : Q :=
  mean (left at_) inject_Z * sum (one at_) (mean_result (two at_)).

Lemma mean_scale {T} (l : list T) c f : mean l (fun t => c * f t) == c * mean l f.
Proof. unfold mean, Qdiv. rewrite sum_scale. ring. Qed.

Lemma mean_plus {T} (l : list T) f g : mean l (fun t => f t + g t) == mean l f + mean l g.
Proof. unfold mean, Qdiv. rewrite sum_plus. ring. Qed.

(** The result of a bid and a reply, and those that are expected of the cards left after them. *)
Definition results (at_ : position) (bid reply : Z) : Q :=
  inject_Z (winner bid reply) + sum (without bid (one at_)) (mean_result (without reply (two at_))).

Lemma expected_if_hidden at_ bid reply : length (one at_) = length (left at_) -> pot at_ = 0%Z ->
  left at_ <> [] -> In bid (one at_) ->
  expectation hidden at_ (left at_) (fun p bid reply => by_chance (after hidden at_ p bid reply)) bid reply ==
  mean (left at_) inject_Z * results at_ bid reply.
Proof.
  intros e np ne hb. unfold expectation, results, by_chance. rewrite mean_plus, Qmult_plus_distr_r.
  cbn [one two left after]. set (rest := sum (without bid (one at_)) _). apply Qplus_comp.
  - rewrite Qmult_comm, <- mean_scale. apply mean_ext. intros p _. unfold gain, stake. simpl goal. cbv iota.
    rewrite np, Z.add_0_r, inject_Z_mult. reflexivity.
  - rewrite (mean_ext _ _ (fun p => rest * mean (without p (left at_)) inject_Z)) by (intros; ring).
    rewrite mean_scale. pose proof (length_without bid _ hb).
    destruct (le_lt_dec 2 (length (left at_))) as [more|few]; [rewrite mean_without by exact more; ring|].
    assert (rest == 0) as ->; [|ring]. unfold rest. destruct (without bid (one at_)); [reflexivity|simpl in *; lia].
Qed.

(** Whatever the bid, a random reply makes the same of it on average; whatever the reply, a random bid. *)
Lemma results_of_bid at_ bid : length (one at_) = length (two at_) -> In bid (one at_) ->
  mean (two at_) (results at_ bid) == sum (one at_) (mean_result (two at_)).
Proof.
  intros e hb. unfold results. rewrite mean_plus. pose proof (length_without bid _ hb) as l.
  assert (mean (two at_) (fun reply => sum (without bid (one at_)) (mean_result (without reply (two at_)))) ==
    sum (without bid (one at_)) (mean_result (two at_))) as ->.
  - unfold mean at 1, Qdiv. rewrite sum_swap, Qmult_comm, <- sum_scale. apply sum_ext. intros c hc.
    unfold mean_result. rewrite <- (mean_without (two at_)); [unfold mean at 2, Qdiv; ring|].
    destruct (without bid (one at_)); [destruct hc|simpl in *; lia].
  - rewrite sum_without by assumption. fold (mean_result (two at_) bid). ring.
Qed.

Lemma results_of_reply at_ reply : length (one at_) = length (two at_) -> In reply (two at_) ->
  mean (one at_) (fun bid => results at_ bid reply) == sum (one at_) (mean_result (two at_)).
Proof.
  intros e hr. unfold results. rewrite mean_plus. pose proof (length_without reply _ hr) as l.
  assert (one at_ <> []) as ne by (intros z; rewrite z in e; simpl in e; lia). pose proof (count_positive _ ne).
  assert (count (one at_) = count (two at_)) as c by (unfold count; rewrite e; reflexivity).
  rewrite (mean_ext _ (fun bid => sum _ _) (fun bid => sum (one at_) (mean_result (without reply (two at_))) +
    - mean_result (without reply (two at_)) bid)) by (intros; rewrite sum_without by assumption; ring).
  destruct (le_lt_dec 2 (length (one at_))) as [more|few].
  - assert (1 < count (one at_)) as big.
    { unfold count. change 1 with (inject_Z 1). rewrite <- Zlt_Qlt. lia. }
    assert (forall bid, mean_result (without reply (two at_)) bid ==
      / (count (one at_) - 1) * (count (one at_) * mean_result (two at_) bid + - inject_Z (winner bid reply))) as each.
    { intros bid. unfold mean_result, mean. rewrite (sum_without reply _ _ hr), (count_without reply _ hr), c.
      rewrite c in big. field. lra. }
    rewrite mean_plus, mean_constant by exact ne. unfold mean. rewrite sum_opp.
    rewrite (sum_ext _ (mean_result (without reply (two at_))) _ (fun bid _ => each bid)).
    rewrite sum_scale, sum_plus, sum_scale, sum_opp. field. lra.
  - rewrite (mean_ext _ (fun bid => _ + - _) (fun _ => 0)).
    + rewrite mean_constant by exact ne. destruct (one at_) as [|bid [|? ?]]; [congruence| |simpl in few; lia].
      destruct (two at_) as [|d [|? ?]]; try discriminate. destruct hr as [->|[]].
      rewrite mean_one. simpl. unfold mean_result. rewrite mean_one. ring.
    + intros bid _. destruct (without reply (two at_)) eqn:E; [|simpl in l; lia].
      unfold mean_result at 2. unfold mean, count. simpl.
      rewrite (sum_ext _ (mean_result []) (fun _ => 0)) by (intros; reflexivity). rewrite sum_zero. reflexivity.
Qed.

(** If the prizes are hidden, to discard at random is optimal for both, and this is what the position is worth. *)
Theorem random_if_hidden n : forall at_, length (left at_) = n ->
  length (one at_) = n -> length (two at_) = n -> pot at_ = 0%Z ->
  worth hidden at_ (by_chance at_) /\ (left at_ <> [] ->
    optimal_bids hidden at_ (left at_) (fun _ => / count (one at_)) (fun _ => / count (two at_)) (by_chance at_)).
Proof.
  induction n as [|n IH]; intros at_ l l1 l2 np.
  - split; [|intros ne; destruct (left at_); [congruence|discriminate]].
    destruct (left at_) eqn:E; [|discriminate]. apply over; [exact E|]. unfold by_chance. rewrite E.
    unfold mean, final. simpl. unfold Qdiv. rewrite !Qmult_0_l. reflexivity.
  - assert (left at_ <> []) as ne by (destruct (left at_); congruence || discriminate).
    assert (one at_ <> []) as ne1 by (destruct (one at_); congruence || discriminate).
    assert (two at_ <> []) as ne2 by (destruct (two at_); congruence || discriminate).
    set (f := fun p bid reply => by_chance (after hidden at_ p bid reply)).
    assert (following hidden (worth hidden) at_ (left at_) f) as next.
    { intros p bid reply hp hb hr. pose proof (length_without p _ hp). pose proof (length_without bid _ hb).
      pose proof (length_without reply _ hr). apply IH; simpl; lia. }
    assert (equilibrium (one at_) (two at_) (expectation hidden at_ (left at_) f)
      (fun _ => / count (one at_)) (fun _ => / count (two at_)) (by_chance at_)) as e.
    { split; [exact (uniform _ ne1)|]. split; [exact (uniform _ ne2)|]. split.
      - intros reply hr. apply Qle_lteq. right. unfold by_chance.
        rewrite <- (results_of_reply at_ reply) by (assumption || congruence).
        rewrite <- mean_scale. unfold mean at 1, Qdiv. rewrite Qmult_comm, <- sum_scale. apply sum_ext.
        intros bid hb. unfold f. rewrite expected_if_hidden by (assumption || congruence). reflexivity.
      - intros bid hb. apply Qle_lteq. right. unfold by_chance.
        rewrite <- (results_of_bid at_ bid) by (assumption || congruence).
        rewrite <- mean_scale. symmetry. unfold mean at 1, Qdiv. rewrite Qmult_comm, <- sum_scale. apply sum_ext.
        intros reply hr. unfold f. rewrite expected_if_hidden by (assumption || congruence). ring. }
    assert (turns hidden at_ = [left at_]) as T by (unfold turns; destruct (left at_); [congruence|reflexivity]).
    split; [|intros _; exists f; split; assumption].
    apply round with (f := f) (us := [by_chance at_]); [exact ne| | |].
    + rewrite T. intros turn [<-|[]]. exact next.
    + rewrite T. constructor; [|constructor]. eexists. eexists. exact e.
    + unfold average. rewrite mean_one. reflexivity.
Qed.

Print Assumptions random_if_hidden.
