(** * Three ways to save work

    - Only the order of the cards matters: hands 2 4 against 1 3 are worth as much as 20 40 against 10 30. So a
      position is stated once for all hands that interleave in the same way (an _order type_).
    - With the players exchanged the worth changes its sign.
    - To win: if the margin is above all points that are left, the game is decided.

    Certificates use all three, and these are the proofs. *)

From Coq Require Import QArith List Lqa Lia ZArith Bool.
From Gops Require Import MatrixGame Game.
Import ListNotations.
Open Scope Q_scope.

(** ** Order types *)

(** [s] keeps the order of the cards of a list. *)
Definition increasing (s : Z -> Z) (l : list Z) : Prop :=
  forall a b, In a l -> In b l -> (a < b)%Z -> (s a < s b)%Z.

(** A position with the card [s c] for every card [c]. *)
Definition relabelled (s : Z -> Z) (at_ : position) : position :=
  Position (map s (one at_)) (map s (two at_)) (left at_) (margin at_) (pot at_).

Lemma in_without c d l : In c (without d l) -> In c l.
Proof.
  induction l as [|e l IH]; simpl; [auto|]. destruct (Z.eqb e d); simpl; intuition.
Qed.

Lemma without_map s v l :
  (forall c, In c l -> s c = s v -> c = v) -> without (s v) (map s l) = map s (without v l).
Proof.
  induction l as [|c l IH]; intros inj; [reflexivity|]. simpl.
  destruct (Z.eqb_spec (s c) (s v)) as [e|ne], (Z.eqb_spec c v) as [e'|ne']; simpl.
  - reflexivity.
  - destruct ne'. apply inj; [left; reflexivity|assumption].
  - congruence.
  - rewrite IH; [reflexivity|]. intros d h. apply inj. right. assumption.
Qed.

Lemma increasing_injective s l a b : increasing s l -> In a l -> In b l -> s a = s b -> a = b.
Proof.
  intros inc ha hb e. destruct (Z.lt_trichotomy a b) as [lt|[eq|gt]]; [|assumption|].
  - pose proof (inc a b ha hb lt). lia.
  - pose proof (inc b a hb ha gt). lia.
Qed.

Lemma winner_relabelled s l a b : increasing s l -> In a l -> In b l -> winner (s a) (s b) = winner a b.
Proof.
  intros inc ha hb. unfold winner. destruct (Z.lt_trichotomy a b) as [lt|[<-|gt]].
  - pose proof (inc a b ha hb lt). rewrite !Z.sgn_neg; lia.
  - rewrite !Z.sub_diag. reflexivity.
  - pose proof (inc b a hb ha gt). rewrite !Z.sgn_pos; lia.
Qed.

Section Symmetry.

Variable r : rules.

Lemma after_relabelled s at_ p bid reply :
  increasing s (one at_ ++ two at_) -> In bid (one at_) -> In reply (two at_) ->
  after r (relabelled s at_) p (s bid) (s reply) = relabelled s (after r at_ p bid reply).
Proof.
  intros inc hb hr. assert (Hb := in_or_app _ (two at_) bid (or_introl hb)).
  assert (Hr := in_or_app (one at_) _ reply (or_intror hr)).
  unfold after, relabelled, stake. simpl. rewrite (winner_relabelled s _ bid reply inc Hb Hr).
  f_equal; apply without_map; intros c hc e; eapply increasing_injective; eauto; apply in_or_app; auto.
Qed.

Lemma turns_relabelled s at_ : turns r (relabelled s at_) = turns r at_.
Proof. reflexivity. Qed.

Theorem worth_relabelled s at_ v :
  increasing s (one at_ ++ two at_) -> worth r (relabelled s at_) v -> worth r at_ v.
Proof.
  intros inc H. remember (relabelled s at_) as at' eqn:E. revert at_ inc E. revert at' v H.
  apply (worth_ind_following r (fun at' v => forall at_, increasing s (one at_ ++ two at_) ->
    at' = relabelled s at_ -> worth r at_ v)).
  - intros at' v e h at_ inc ->. apply over; assumption.
  - intros at' f us v ne next IH vals m at_ inc ->.
    apply round with (f := fun p bid reply => f p (s bid) (s reply)) (us := us); auto.
    + intros turn ht p bid reply hp hb hr.
      apply (IH turn ht p (s bid) (s reply) hp (in_map s _ _ hb) (in_map s _ _ hr)).
      * intros a b ha hb'. apply inc; apply in_or_app;
          [apply in_app_or in ha as [h|h]|apply in_app_or in hb' as [h|h]]; apply in_without in h; auto.
      * apply after_relabelled; assumption.
    + revert vals. rewrite turns_relabelled. generalize (turns r at_). clear - inc. intros l.
      induction 1 as [|turn u l us (x & y & mx & my & g & c) _ IHl]; constructor; [|exact IHl]. clear IHl.
      cbn [relabelled one two] in *.
      assert (same : forall bid reply, In bid (one at_) -> In reply (two at_) ->
        expectation r (relabelled s at_) turn f (s bid) (s reply) ==
        expectation r at_ turn (fun p bid reply => f p (s bid) (s reply)) bid reply).
      { intros bid reply hb hr. apply mean_ext. intros p _. unfold gain.
        rewrite (winner_relabelled s _ bid reply inc); [reflexivity| |]; apply in_or_app; auto. }
      exists (fun bid => x (s bid)), (fun reply => y (s reply)).
      destruct mx as [px sx], my as [py sy]. rewrite sum_map in sx, sy.
      repeat split; auto using in_map.
      * intros reply hr. eapply Qle_trans; [apply (g (s reply)); auto using in_map|].
        rewrite sum_map. apply sum_le. intros bid hb. rewrite same by assumption. lra.
      * intros bid hb. eapply Qle_trans; [|apply (c (s bid)); auto using in_map].
        rewrite sum_map. apply sum_le. intros reply hr. rewrite same by assumption. lra.
Qed.

(** ** The players exchanged *)

Definition mirrored (at_ : position) : position :=
  Position (two at_) (one at_) (left at_) (- margin at_) (pot at_).

Lemma mirrored_twice at_ : mirrored (mirrored at_) = at_.
Proof. destruct at_. unfold mirrored. simpl. rewrite Z.opp_involutive. reflexivity. Qed.

Lemma winner_mirrored a b : winner b a = (- winner a b)%Z.
Proof. unfold winner. replace (b - a)%Z with (- (a - b))%Z by lia. apply Z.sgn_opp. Qed.

Lemma gain_mirrored at_ p bid reply : gain r (mirrored at_) p reply bid = (- gain r at_ p bid reply)%Z.
Proof. unfold gain. destruct (goal r); [|reflexivity]. rewrite winner_mirrored. unfold stake, mirrored. simpl. lia. Qed.

Lemma after_mirrored at_ p bid reply : after r (mirrored at_) p reply bid = mirrored (after r at_ p bid reply).
Proof.
  unfold after, mirrored, stake. simpl. rewrite winner_mirrored. f_equal.
  - destruct (goal r); lia.
  - destruct (tied r); [reflexivity|]. destruct (winner bid reply); reflexivity.
Qed.

Lemma average_opp us : average (map Qopp us) == - average us.
Proof.
  unfold average, mean, count. rewrite map_length, sum_map, sum_opp. unfold Qdiv. ring.
Qed.

Theorem worth_mirrored at_ v : worth r at_ v -> worth r (mirrored at_) (- v).
Proof.
  revert at_ v. apply (worth_ind_following r (fun at_ v => worth r (mirrored at_) (- v))).
  - intros at_ v e h. apply over; [exact e|]. rewrite h. unfold final. destruct (goal r); [reflexivity|].
    simpl. rewrite Z.sgn_opp. rewrite inject_Z_opp. reflexivity.
  - intros at_ f us v ne next IH vals m.
    apply round with (f := fun p reply bid => - f p bid reply) (us := map Qopp us); auto.
    + intros turn ht p reply bid hp hr hb. rewrite after_mirrored. exact (IH turn ht p bid reply hp hb hr).
    + change (turns r (mirrored at_)) with (turns r at_). revert vals. generalize (turns r at_). intros l.
      clear. induction 1 as [|turn u l us (x & y & H) _ IHl]; simpl; constructor; [|exact IHl]. clear IHl.
      exists y, x. apply equilibrium_mirrored in H. revert H. apply equilibrium_ext.
      intros reply bid hr hb. unfold expectation, mean, Qdiv.
      rewrite (sum_ext turn (fun p => inject_Z (gain r (mirrored at_) p reply bid) + - f p bid reply)
                 (fun p => - (inject_Z (gain r at_ p bid reply) + f p bid reply))).
      * rewrite sum_opp. ring.
      * intros p _. rewrite gain_mirrored, inject_Z_opp. ring.
    + rewrite average_opp, m. reflexivity.
Qed.

(** Equal hands are worth 0, unless a player is ahead. *)
Corollary worth_equal_hands at_ v : one at_ = two at_ -> margin at_ = 0%Z -> worth r at_ v -> v == 0.
Proof.
  intros e m H. pose proof (worth_mirrored at_ v H) as M.
  assert (mirrored at_ = at_) as E by (unfold mirrored; destruct at_; simpl in *; subst; reflexivity).
  rewrite E in M. pose proof (worth_unique r at_ v H (- v) M). lra.
Qed.

(** ** Decided games *)

Definition total (l : list Z) : Z := fold_right Z.add 0%Z l.

Lemma total_without p l : In p l -> total (without p l) = (total l - p)%Z.
Proof.
  induction l as [|q l IH]; simpl; [tauto|]. intros h. destruct (Z.eqb_spec q p); [subst; lia|].
  simpl. rewrite IH; [lia|]. destruct h; [congruence|assumption].
Qed.

Lemma length_without p l : In p l -> length l = S (length (without p l)).
Proof.
  induction l as [|q l IH]; simpl; [tauto|]. intros h. destruct (Z.eqb_spec q p); [reflexivity|].
  simpl. rewrite <- IH; [reflexivity|]. destruct h; [congruence|assumption].
Qed.

Lemma turns_of_left at_ turn p : In turn (turns r at_) -> In p turn -> In p (left at_).
Proof.
  unfold turns. destruct (left at_) as [|q deck] eqn:E; [destruct (prizes r); simpl; tauto|].
  destruct (prizes r).
  - intros ht hp. apply in_map_iff in ht as (q' & <- & h). destruct hp as [<-|[]]. exact h.
  - intros [<-|[]] hp. exact hp.
  - intros [<-|[]] [<-|[]]. left. reflexivity.
Qed.

Lemma turn_not_empty at_ turn : In turn (turns r at_) -> turn <> [].
Proof.
  unfold turns. destruct (left at_) as [|q deck]; [destruct (prizes r); simpl; tauto|]. destruct (prizes r).
  - intros ht. apply in_map_iff in ht as (q' & <- & _). discriminate.
  - intros [<-|[]]. discriminate.
  - intros [<-|[]]. discriminate.
Qed.

Lemma turns_not_empty at_ : left at_ <> [] -> turns r at_ <> [].
Proof. unfold turns. destruct (left at_), (prizes r); simpl; congruence. Qed.

(** The margin is above all points that are left, and there is a card for every prize. *)
Record decided (at_ : position) : Prop := Decided {
  to_win : goal r = Win;
  ahead : (total (left at_) + pot at_ < Z.abs (margin at_))%Z;
  prizes_count : Forall (Z.le 0) (left at_);
  pot_counts : (0 <= pot at_)%Z;
  cards_one : length (one at_) = length (left at_);
  cards_two : length (two at_) = length (left at_)
}.

Lemma decided_after at_ p bid reply : decided at_ -> In p (left at_) -> In bid (one at_) ->
  In reply (two at_) ->
  decided (after r at_ p bid reply) /\ Z.sgn (margin (after r at_ p bid reply)) = Z.sgn (margin at_).
Proof.
  intros [w a pc q l1 l2] hp hb hr.
  assert (p0 : (0 <= p)%Z) by (rewrite Forall_forall in pc; apply pc; assumption).
  assert (rest : (0 <= total (without p (left at_)))%Z).
  { rewrite Forall_forall in pc. assert (forall c, In c (without p (left at_)) -> (0 <= c)%Z) as H
      by (intros c hc; apply pc; eapply in_without; eauto).
    clear - H. induction (without p (left at_)) as [|c l IH]; simpl in *; [lia|].
    pose proof (H c (or_introl eq_refl)). assert (0 <= total l)%Z by (apply IH; auto). lia. }
  pose proof (total_without p _ hp) as T.
  pose proof (length_without p _ hp). pose proof (length_without bid _ hb). pose proof (length_without reply _ hr).
  assert (one_of : winner bid reply = 1%Z \/ winner bid reply = 0%Z \/ winner bid reply = (-1)%Z).
  { unfold winner. destruct (bid - reply)%Z; simpl; auto. }
  assert (bounds : (0 <= pot (after r at_ p bid reply))%Z /\ Z.sgn (margin (after r at_ p bid reply)) =
    Z.sgn (margin at_) /\ (total (without p (left at_)) + pot (after r at_ p bid reply) <
    Z.abs (margin (after r at_ p bid reply)))%Z).
  { unfold after, stake. simpl. rewrite w.
    destruct (tied r), one_of as [e|[e|e]]; rewrite e; simpl Z.eqb; cbv iota; lia. }
  destruct bounds as (b1 & b2 & b3). split; [|exact b2].
  constructor; auto; simpl; try lia.
  rewrite Forall_forall in *. intros c hc. apply pc. eapply in_without. eauto.
Qed.

Theorem worth_decided at_ : decided at_ -> worth r at_ (inject_Z (Z.sgn (margin at_))).
Proof.
  remember (length (left at_)) as n eqn:E. revert at_ E.
  induction n as [|n IH]; intros at_ E d.
  - apply over; [destruct (left at_); [reflexivity|discriminate]|]. unfold final. rewrite (to_win at_ d). reflexivity.
  - set (v := inject_Z (Z.sgn (margin at_))).
    assert (ne : left at_ <> []) by (destruct (left at_); [discriminate|congruence]).
    apply round with (f := fun _ _ _ => v) (us := map (fun _ => v) (turns r at_)); auto.
    + intros turn ht p bid reply hp hb hr.
      pose proof (turns_of_left at_ turn p ht hp) as hl.
      destruct (decided_after at_ p bid reply d hl hb hr) as [d' s].
      unfold v. rewrite <- s. apply IH; [|exact d'].
      pose proof (length_without p _ hl). simpl. lia.
    + assert (forall turn, In turn (turns r at_) ->
        is_value (one at_) (two at_) (expectation r at_ turn (fun _ _ _ => v)) v) as all.
      { intros turn ht. apply value_constant.
        - pose proof (cards_one at_ d). destruct (one at_); [simpl in *; lia|congruence].
        - pose proof (cards_two at_ d). destruct (two at_); [simpl in *; lia|congruence].
        - intros bid reply _ _. eapply Qeq_trans; [|exact (mean_constant turn v (turn_not_empty at_ turn ht))].
          apply mean_ext. intros p _. unfold gain. rewrite (to_win at_ d). ring. }
      clear - all. induction (turns r at_) as [|turn l IHl]; constructor.
      * apply all. left. reflexivity.
      * apply IHl. intros t ht. apply all. right. exact ht.
    + unfold average, mean, count. rewrite map_length, sum_map. symmetry.
      apply (mean_constant (turns r at_) v). exact (turns_not_empty at_ ne).
Qed.

End Symmetry.
