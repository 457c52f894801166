(** * The one exact probability in print

    Rhoads & Bartholdi (2012, _Computer solution to the game of pure strategy_, Games 3, section 4) print one number in
    full: with five cards each, at the upcard 1, an optimal strategy bids the card 1 with this probability. The
    certificate of five cards makes it a theorem, and says that there is no other optimal strategy. *)

From Gops Require Import Soundness Games5.
Open Scope Q_scope.

Definition printed : Q :=
  53062870821332759814873033586324526097043998512154562956280455831875882988814425504038999635791836938252991208618766205613347715832856808473020691205964007949871457070943778780696424901863942944810525052774918079399954562997646185715598682274851480804900
  # 1129268720669360758902051860285520214948806792442363910626460283524974972457340529048742255070498933250843190665776435094187938176607500191821945636470839662904895334691582859980676180201934367037256681898791738381922918288920527729219085504200644992335857.

Lemma first_plan r l turn ts p ps : true_line r l -> turns r (place l) = turn :: ts -> plans l = p :: ps ->
  true_plan r (place l) turn p.
Proof. intros [_ all] et ep. rewrite et, ep in all. inversion all. assumption. Qed.

Theorem printed_probability :
  let deck := [1; 2; 3; 4; 5]%Z in
  let optimal := optimal_bids (Rules Points Discard Random) (start deck deck) [1]%Z in
  (exists x y v, optimal x y v) /\ (forall x y v, optimal x y v -> x 1%Z == printed).
Proof.
  intros deck optimal.
  assert (plans Game0.claim = hd (Plan 0 [] [] None) (plans Game0.claim) :: tl (plans Game0.claim)) as e by reflexivity.
  destruct (first_plan _ _ [1]%Z _ _ _ Game0.solved eq_refl e) as [o only].
  split; [eexists; eexists; eexists; exact o|]. intros x y v h.
  destruct only as [rows _]; [discriminate|]. rewrite (rows x y v h 1%Z (or_introl eq_refl)).
  apply Qeq_bool_iff. vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions printed_probability.
