(** * The checker is sound

    If the checker says [true], every line of the certificate is true: the worth of its position, and the
    strategies of its turns. *)

From Gops Require Export Certificate.
From Coq Require Import Qreduction Lqa Lia Bool FMapPositive.
From Gops Require Import Symmetry OneGame.
Open Scope Q_scope.

Section Soundness.

Variable r : rules.

Lemma children_ok t at_ turn : good r t -> all_known (children r t at_ turn) = true ->
  following r (worth r) at_ turn (child (children r t at_ turn)).
Proof.
  intros g h p bid reply hp hb hr. apply (look_ok r t); [exact g|].
  unfold child, children in *. rewrite !find_tabulate by assumption.
  unfold all_known, tabulate in h. rewrite forallb_forall in h.
  specialize (h _ (in_map _ _ _ hp)). simpl in h. rewrite forallb_forall in h.
  specialize (h _ (in_map _ _ _ hb)). simpl in h. rewrite forallb_forall in h.
  specialize (h _ (in_map _ _ _ hr)). simpl in h. destruct (look _ _ _); [reflexivity|discriminate].
Qed.

(** Whatever proves one pair of strategies optimal at a turn speaks of the same payoffs as another proof. *)
Lemma same_payoffs at_ turn f g : following r (worth r) at_ turn f -> following r (worth r) at_ turn g ->
  forall bid reply, In bid (one at_) -> In reply (two at_) ->
  expectation r at_ turn f bid reply == expectation r at_ turn g bid reply.
Proof.
  intros hf hg bid reply hb hr. apply expectation_ext. intros p hp.
  eapply worth_unique; [apply (hf p bid reply hp hb hr)|apply (hg p bid reply hp hb hr)].
Qed.

Lemma only_bids_ok at_ turn f x y v : following r (worth r) at_ turn f ->
  equilibrium (one at_) (two at_) (expectation r at_ turn f) x y v ->
  only_optimal (one at_) (two at_) (expectation r at_ turn f) x v -> only_bids r at_ turn x.
Proof.
  intros hf e only x' y' v' (g & hg & e').
  apply (equilibrium_ext _ _ _ (expectation r at_ turn f)) in e';
    [|intros; apply same_payoffs; assumption].
  assert (v' == v) as E by (eapply value_unique; [exists x', y'; exact e'|exists x, y; exact e]).
  destruct e' as (mx & _ & gx & _). apply only; [exact mx|]. intros j hj. rewrite <- E. auto.
Qed.

Lemma only_replies_ok at_ turn f x y v : following r (worth r) at_ turn f ->
  equilibrium (one at_) (two at_) (expectation r at_ turn f) x y v ->
  only_optimal (two at_) (one at_) (fun j i => - expectation r at_ turn f i j) y (- v) ->
  only_replies r at_ turn y.
Proof.
  intros hf e only x' y' v' (g & hg & e').
  apply (equilibrium_ext _ _ _ (expectation r at_ turn f)) in e';
    [|intros; apply same_payoffs; assumption].
  assert (v' == v) as E by (eapply value_unique; [exists x', y'; exact e'|exists x, y; exact e]).
  apply equilibrium_mirrored in e'. destruct e' as (my & _ & gy & _). apply only; [exact my|].
  intros j hj. rewrite <- E. auto.
Qed.

Lemma only_optimal_ext {C} (rows : list Z) (columns : list C) A B x v :
  (forall i j, In i rows -> In j columns -> A i j == B i j) ->
  only_optimal rows columns A x v -> only_optimal rows columns B x v.
Proof.
  intros E only x' mx' gx'. apply only; [exact mx'|]. intros j hj.
  eapply Qle_trans; [apply (gx' j hj)|]. apply sum_le. intros i hi. rewrite (E i j hi hj). lra.
Qed.

Lemma check_only_ok rows columns A w z v c : is_equilibrium rows columns A w z v = true ->
  check_only rows columns A w z v c = true -> c <> None ->
  only_optimal rows columns A (scaled rows w) v /\
  only_optimal columns rows (fun j i => - A i j) (scaled columns z) (- v).
Proof.
  intros e h n. destruct c as [[d numerators]|]; [|congruence].
  apply andb_prop in h as [h h2]. apply andb_prop in h as [h1 e']. split; eapply is_only_ok; eauto.
Qed.

Lemma check_plan_ok t at_ turn p : good r t -> check_plan r t at_ turn p = true ->
  true_plan r at_ turn p /\ exists f, following r (worth r) at_ turn f /\
    is_value (one at_) (two at_) (expectation r at_ turn f) (value p).
Proof.
  unfold check_plan. intros g h. apply andb_prop in h as [h o].
  apply andb_prop in h as [k e]. set (f := child (children r t at_ turn)) in *.
  set (A := cell _) in *. pose proof (children_ok t at_ turn g k) as hf. fold f in hf.
  assert (same : forall bid reply, In bid (one at_) -> In reply (two at_) ->
    A bid reply == expectation r at_ turn f bid reply).
  { intros bid reply hb hr. unfold A. rewrite cell_tabulate2 by assumption. apply Qred_correct. }
  pose proof (equilibrium_ext _ _ _ _ _ _ _ same (is_equilibrium_ok _ _ _ _ _ _ e)) as e'.
  split; [|exists f; split; [exact hf|eexists; eexists; exact e']].
  split; [exists f; split; assumption|]. intros n.
  destruct (check_only_ok _ _ _ _ _ _ _ e o n) as [first second]. split.
  - eapply only_bids_ok; eauto. eapply only_optimal_ext; [exact same|exact first].
  - eapply only_replies_ok; eauto. eapply only_optimal_ext; [|exact second].
    intros j i hj hi. cbv beta. rewrite (same i j hi hj). reflexivity.
Qed.

(** What follows a position, for all turns at once. *)
Definition child_of (t : known) (at_ : position) (p bid reply : Z) : Q :=
  match look r t (after r at_ p bid reply) with Some v => v | None => 0 end.

Lemma child_child_of t at_ turn p bid reply : In p turn -> In bid (one at_) -> In reply (two at_) ->
  child (children r t at_ turn) p bid reply = child_of t at_ p bid reply.
Proof. intros hp hb hr. unfold child, children. rewrite !find_tabulate by assumption. reflexivity. Qed.

Lemma check_line_ok t l : good r t -> check_line r t l = true -> true_line r l.
Proof.
  unfold check_line. destruct l as [at_ v ps]. simpl. intros g h.
  apply andb_prop in h as [h m]. apply andb_prop in h as [ne h].
  assert (left at_ <> []) as ne' by (destruct (left at_); [discriminate|congruence]). clear ne.
  assert (Forall2 (fun turn p => true_plan r at_ turn p /\
    following r (worth r) at_ turn (child_of t at_) /\
    is_value (one at_) (two at_) (expectation r at_ turn (child_of t at_)) (value p)) (turns r at_) ps) as all.
  { revert h. clear m. revert ps. generalize (turns r at_). induction l as [|turn ts IH];
      intros [|p ps]; simpl; intros h; try discriminate; [constructor|].
    apply andb_prop in h as [_ h]. apply andb_prop in h as [h1 h2]. constructor; [|apply IH; exact h2].
    pose proof (check_plan_ok t at_ turn p g h1) as [tp _]. split; [exact tp|].
    unfold check_plan in h1. repeat apply andb_prop in h1 as [h1 ?].
    pose proof (children_ok t at_ turn g h1) as hf.
    assert (hf' : following r (worth r) at_ turn (child_of t at_)).
    { intros q bid reply hq hb hr. rewrite <- (child_child_of t at_ turn) by assumption. auto. }
    split; [exact hf'|]. destruct tp as [(f & hff & e) _].
    eapply is_value_ext; [|exists (chance (one at_) (row p)), (chance (two at_) (column p)); exact e].
    intros. apply same_payoffs; assumption. }
  split; simpl.
  - apply round with (f := child_of t at_) (us := map value ps); auto.
    + intros turn ht. clear - all ht. induction all as [|turn' p ts ps (_ & hf & _) _ IH]; [destruct ht|].
      destruct ht as [<-|ht]; auto.
    + clear - all. induction all as [|turn p ts ps (_ & _ & hv) _ IH]; simpl; constructor; auto.
    + apply Qeq_bool_iff in m. unfold average, mean, count in *. rewrite map_length, sum_map.
      assert (ps <> []) as n.
      { pose proof (turns_not_empty r at_ ne'). intros ->. inversion all. congruence. }
      pose proof (count_positive ps n). unfold count in *. rewrite <- m. field. lra.
  - clear - all. induction all as [|turn p ts ps (tp & _) _ IH]; constructor; auto.
Qed.

Lemma check_ok lines : forall t, good r t -> check r t lines = true -> Forall (true_line r) lines.
Proof.
  induction lines as [|l rest IH]; simpl; intros t g h; constructor; apply andb_prop in h as [h1 h2].
  - eapply check_line_ok; eauto.
  - eapply IH; [|exact h2]. intros key at_ v E.
    destruct (Pos.eq_dec key (code (place l))) as [->|n].
    + rewrite PositiveMap.gss in E. injection E as <- <-. apply (check_line_ok t l g h1).
    + rewrite PositiveMap.gso in E by assumption. eapply g. exact E.
Qed.

Theorem sound lines : certified r lines = true -> Forall (true_line r) lines.
Proof.
  apply check_ok. intros key at_ v E. rewrite PositiveMap.gempty in E. discriminate.
Qed.

(** The last line, where a certificate states what it is about. *)
Corollary sound_last lines before l : certified r lines = true -> lines = before ++ [l] -> true_line r l.
Proof.
  intros h ->. apply sound in h. rewrite Forall_forall in h. apply h. apply in_or_app. right. left. reflexivity.
Qed.

End Soundness.

Print Assumptions sound.
