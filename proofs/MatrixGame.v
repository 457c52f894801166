(** * Matrix games

    Player one chooses a row, player two a column, both at once, and [A row column] is what player one gains.
    Rows and columns are lists of anything: later they are hands of cards. All numbers are rationals, Coq's [Q];
    [==] says that two of them are equal, in lowest terms or not.

    What is here: sums; mixed strategies, guarantees and values; that there is only one value; and when an
    optimal strategy is the only one. *)

From Coq Require Import QArith List Lqa ZArith.
Import ListNotations.
Open Scope Q_scope.

(** ** Sums over a list *)

Fixpoint sum {T} (l : list T) (f : T -> Q) : Q :=
  match l with [] => 0 | t :: rest => f t + sum rest f end.

Lemma sum_ext {T} (l : list T) f g : (forall t, In t l -> f t == g t) -> sum l f == sum l g.
Proof.
  induction l as [|t l IH]; simpl; intros H; [reflexivity|].
  rewrite (H t), IH; auto. reflexivity.
Qed.

Lemma sum_le {T} (l : list T) f g : (forall t, In t l -> f t <= g t) -> sum l f <= sum l g.
Proof.
  induction l as [|t l IH]; simpl; intros H; [lra|].
  pose proof (H t (or_introl eq_refl)). pose proof (IH (fun s h => H s (or_intror h))). lra.
Qed.

Lemma sum_plus {T} (l : list T) f g : sum l (fun t => f t + g t) == sum l f + sum l g.
Proof. induction l; simpl; [ring|]. rewrite IHl. ring. Qed.

Lemma sum_scale {T} (l : list T) c f : sum l (fun t => c * f t) == c * sum l f.
Proof. induction l; simpl; [ring|]. rewrite IHl. ring. Qed.

Lemma sum_zero {T} (l : list T) : sum l (fun _ => 0) == 0.
Proof. induction l; simpl; [reflexivity|]. rewrite IHl. ring. Qed.

Lemma sum_swap {S T} (l : list S) (m : list T) (F : S -> T -> Q) :
  sum l (fun s => sum m (F s)) == sum m (fun t => sum l (fun s => F s t)).
Proof.
  induction l; simpl; [symmetry; apply sum_zero|]. rewrite IHl, sum_plus. reflexivity.
Qed.

Lemma sum_opp {T} (l : list T) f : sum l (fun t => - f t) == - sum l f.
Proof. induction l; simpl; [reflexivity|]. rewrite IHl. ring. Qed.

Lemma sum_map {S T} (g : S -> T) (l : list S) f : sum (map g l) f = sum l (fun s => f (g s)).
Proof. induction l; simpl; [reflexivity|]. rewrite IHl. reflexivity. Qed.

(** Terms of at least 0 whose sum is at most 0 are all 0. *)
Lemma sum_nothing {T} (l : list T) f :
  (forall t, In t l -> 0 <= f t) -> sum l f <= 0 -> forall t, In t l -> f t == 0.
Proof.
  induction l as [|s l IH]; simpl; intros H h t; [tauto|].
  pose proof (H s (or_introl eq_refl)) as Hs.
  assert (0 <= sum l f) as Hl.
  { rewrite <- (sum_zero l). apply sum_le. auto. }
  intros [<-|i]; [lra|]. apply IH; auto. lra.
Qed.

Definition count {T} (l : list T) : Q := inject_Z (Z.of_nat (length l)).

Definition mean {T} (l : list T) (f : T -> Q) : Q := sum l f / count l.

Lemma count_positive {T} (l : list T) : l <> [] -> 0 < count l.
Proof. destruct l; [tauto|]. intros _. reflexivity. Qed.

Lemma mean_ext {T} (l : list T) f g : (forall t, In t l -> f t == g t) -> mean l f == mean l g.
Proof. intros H. unfold mean. rewrite (sum_ext l f g H). reflexivity. Qed.

Lemma mean_constant {T} (l : list T) c : l <> [] -> mean l (fun _ => c) == c.
Proof.
  intros H. unfold mean.
  assert (sum l (fun _ => c) == c * count l) as ->.
  { clear H. unfold count. induction l as [|t l IH]; [simpl; ring|].
    cbn [sum length]. rewrite IH, Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. ring. }
  pose proof (count_positive l H). field. lra.
Qed.

(** ** Strategies and values *)

(** A mixed strategy: probabilities of at least 0 whose sum is 1. *)
Definition mixed {T} (choices : list T) (x : T -> Q) : Prop :=
  (forall t, In t choices -> 0 <= x t) /\ sum choices x == 1.

(** Every choice may be as likely as the others. *)
Lemma uniform {T} (l : list T) : l <> [] -> mixed l (fun _ => / count l).
Proof.
  intros h. pose proof (count_positive l h). split.
  - intros _ _. apply Qlt_le_weak, Qinv_lt_0_compat. auto.
  - pose proof (mean_constant l 1 h) as E. unfold mean, Qdiv in E.
    rewrite <- E. rewrite <- (Qmult_comm (/ count l)), <- sum_scale. apply sum_ext. intros. ring.
Qed.

Section Game.

Context {R C : Type}.
Variables (rows : list R) (columns : list C) (A : R -> C -> Q).

(** With [x] player one gains at least [v] on average, whatever column player two chooses. *)
Definition guarantees (x : R -> Q) (v : Q) : Prop :=
  forall j, In j columns -> v <= sum rows (fun i => x i * A i j).

(** With [y] player two concedes at most [v] on average, whatever row player one chooses. *)
Definition concedes (y : C -> Q) (v : Q) : Prop :=
  forall i, In i rows -> sum columns (fun j => A i j * y j) <= v.

(** Strategies that prove each other optimal, and [v] to be the value. *)
Definition equilibrium (x : R -> Q) (y : C -> Q) (v : Q) : Prop :=
  mixed rows x /\ mixed columns y /\ guarantees x v /\ concedes y v.

Definition is_value (v : Q) : Prop := exists x y, equilibrium x y v.

(** An optimal strategy of player one: it guarantees the value. *)
Definition optimal (x : R -> Q) : Prop := exists v, is_value v /\ mixed rows x /\ guarantees x v.

(** Player one's gain from two mixed strategies, summed by columns and by rows. *)
Lemma both_ways x y :
  sum columns (fun j => y j * sum rows (fun i => x i * A i j)) ==
  sum rows (fun i => x i * sum columns (fun j => A i j * y j)).
Proof.
  rewrite (sum_ext columns _ (fun j => sum rows (fun i => y j * (x i * A i j))))
    by (intros; rewrite sum_scale; reflexivity).
  rewrite <- (sum_swap rows columns (fun i j => y j * (x i * A i j))).
  apply sum_ext. intros i _. rewrite <- sum_scale. apply sum_ext. intros j _. ring.
Qed.

Lemma at_least x y v : mixed columns y -> guarantees x v ->
  v <= sum columns (fun j => y j * sum rows (fun i => x i * A i j)).
Proof.
  intros [py sy] h. setoid_replace v with (sum columns (fun j => v * y j)).
  - apply sum_le. intros j hj. specialize (h j hj). specialize (py j hj). nra.
  - rewrite sum_scale, sy. ring.
Qed.

Lemma at_most x y v : mixed rows x -> concedes y v ->
  sum rows (fun i => x i * sum columns (fun j => A i j * y j)) <= v.
Proof.
  intros [px sx] h. setoid_replace v with (sum rows (fun i => v * x i)).
  - apply sum_le. intros i hi. specialize (h i hi). specialize (px i hi). nra.
  - rewrite sum_scale, sx. ring.
Qed.

(** What player one can guarantee is at most what player two can hold her to. *)
Theorem weak_duality x y v w :
  mixed rows x -> mixed columns y -> guarantees x v -> concedes y w -> v <= w.
Proof.
  intros mx my g c. pose proof (at_least x y v my g). pose proof (at_most x y w mx c).
  pose proof (both_ways x y). lra.
Qed.

(** A game has at most one value. *)
Theorem value_unique v w : is_value v -> is_value w -> v == w.
Proof.
  intros (x & y & a & b & c & d) (x' & y' & a' & b' & c' & d').
  pose proof (weak_duality x y' v w a b' c d'). pose proof (weak_duality x' y w v a' b c' d). lra.
Qed.

(** Values that are equal rationals are the same value. *)
Lemma is_value_eq v w : v == w -> is_value v -> is_value w.
Proof.
  intros e (x & y & a & b & c & d). exists x, y. repeat split; try apply a; try apply b.
  - intros j h. rewrite <- e. auto.
  - intros i h. rewrite <- e. auto.
Qed.

(** If every cell holds the same number, that number is the value: any strategies are optimal. *)
Lemma value_constant v : rows <> [] -> columns <> [] ->
  (forall i j, In i rows -> In j columns -> A i j == v) -> is_value v.
Proof.
  intros nr nc same. exists (fun _ => / count rows), (fun _ => / count columns).
  destruct (uniform rows nr) as [a sa], (uniform columns nc) as [b sb].
  split; [split; assumption|]. split; [split; assumption|]. split.
  - intros j hj. rewrite (sum_ext rows _ (fun i => v * / count rows)).
    + rewrite sum_scale, sa. lra.
    + intros i hi. rewrite (same i j hi hj). ring.
  - intros i hi. rewrite (sum_ext columns _ (fun j => v * / count columns)).
    + rewrite sum_scale, sb. lra.
    + intros j hj. rewrite (same i j hi hj). ring.
Qed.

End Game.

(** The value depends on the payoffs alone. *)
Lemma equilibrium_ext {R C} (rows : list R) (columns : list C) A B x y v :
  (forall i j, In i rows -> In j columns -> A i j == B i j) ->
  equilibrium rows columns A x y v -> equilibrium rows columns B x y v.
Proof.
  intros E (a & b & c & d). split; [exact a|]. split; [exact b|]. split.
  - intros j h. eapply Qle_trans; [apply (c j h)|]. apply sum_le. intros i hi. rewrite (E i j hi h). lra.
  - intros i h. eapply Qle_trans; [|apply (d i h)]. apply sum_le. intros j hj. rewrite (E i j h hj). lra.
Qed.

Lemma is_value_ext {R C} (rows : list R) (columns : list C) A B v :
  (forall i j, In i rows -> In j columns -> A i j == B i j) ->
  is_value rows columns A v -> is_value rows columns B v.
Proof. intros E (x & y & H). exists x, y. eapply equilibrium_ext; eauto. Qed.

(** With the players exchanged the value changes its sign. *)
Lemma equilibrium_mirrored {R C} (rows : list R) (columns : list C) A x y v :
  equilibrium rows columns A x y v -> equilibrium columns rows (fun j i => - A i j) y x (- v).
Proof.
  intros (a & b & c & d). split; [exact b|]. split; [exact a|]. split.
  - intros i h. specialize (d i h).
    rewrite (sum_ext columns _ (fun j => - (A i j * y j))) by (intros; ring). rewrite sum_opp. lra.
  - intros j h. specialize (c j h).
    rewrite (sum_ext rows _ (fun i => - (x i * A i j))) by (intros; ring). rewrite sum_opp. lra.
Qed.

(** ** When an optimal strategy is the only one

    Let [x] and [y] be optimal, [v] the value, and [c] numbers with

    - [c i j == 0] for every column [j] that [y] does not play, and
    - [(1 if i = k else 0) - x i == sum_j c i j * (A k j - v)] for every row [k] that gains [v] against [y].

    Then [x] is player one's only optimal strategy. For let [x'] be another. It plays no row that gains less
    than [v] against [y], and gains exactly [v] in every column that [y] plays. The mean of the equations, with
    the weights [x' k], is [x' i - x i == 0]. The numbers [c] exist if the matrix of the equations is regular. *)

Definition delta (i k : Z) : Q := if Z.eqb i k then 1 else 0.

Lemma sum_delta (l : list Z) i f : NoDup l -> In i l -> sum l (fun k => f k * delta i k) == f i.
Proof.
  induction l as [|t l IH]; intros nd h; [destruct h|]. inversion nd as [|? ? out nd']; subst.
  cbn [sum]. unfold delta at 1. destruct (Z.eqb_spec i t) as [<-|ne].
  - rewrite (sum_ext l _ (fun _ => 0)), sum_zero; [ring|].
    intros k hk. unfold delta. destruct (Z.eqb_spec i k) as [<-|]; [tauto|]. ring.
  - rewrite IH; auto; [ring|]. destruct h; [congruence|auto].
Qed.

Definition only_optimal {C} (rows : list Z) (columns : list C) (A : Z -> C -> Q) x v : Prop :=
  forall x', mixed rows x' -> guarantees rows columns A x' v -> forall i, In i rows -> x' i == x i.

Theorem only_one {C} (rows : list Z) (columns : list C) A x y v (c : Z -> C -> Q) :
  NoDup rows -> equilibrium rows columns A x y v ->
  (forall i j, In i rows -> In j columns -> y j == 0 -> c i j == 0) ->
  (forall i k, In i rows -> In k rows -> sum columns (fun j => A k j * y j) == v ->
     delta i k - x i == sum columns (fun j => c i j * (A k j - v))) ->
  only_optimal rows columns A x v.
Proof.
  intros nd (mx & my & gx & cy) idle regular x' mx' gx' i hi.
  (* the rows that x' plays gain v against y *)
  assert (tight_rows : forall k, In k rows -> x' k * (v - sum columns (fun j => A k j * y j)) == 0).
  { apply sum_nothing.
    - intros k hk. pose proof (proj1 mx' k hk). pose proof (cy k hk). nra.
    - pose proof (at_least rows columns A x' y v my gx') as low. rewrite both_ways in low.
      rewrite (sum_ext rows _ (fun k => v * x' k + - (x' k * sum columns (fun j => A k j * y j))))
        by (intros; ring).
      rewrite sum_plus, sum_opp, sum_scale, (proj2 mx'). lra. }
  (* x' gains v in the columns that y plays *)
  assert (tight_columns : forall j, In j columns -> y j * (sum rows (fun k => x' k * A k j) - v) == 0).
  { apply sum_nothing.
    - intros j hj. pose proof (proj1 my j hj). pose proof (gx' j hj). nra.
    - pose proof (at_most rows columns A x' y v mx' cy) as high. rewrite <- both_ways in high.
      rewrite (sum_ext columns _ (fun j => y j * sum rows (fun k => x' k * A k j) + - (v * y j)))
        by (intros; ring).
      rewrite sum_plus, sum_opp, sum_scale, (proj2 my). lra. }
  assert (mean_of_equations :
    sum rows (fun k => x' k * (delta i k - x i)) ==
    sum rows (fun k => x' k * sum columns (fun j => c i j * (A k j - v)))).
  { apply sum_ext. intros k hk. destruct (Qeq_dec (x' k) 0) as [z|nz]; [rewrite z; ring|].
    rewrite (regular i k hi hk); [reflexivity|]. pose proof (tight_rows k hk). nra. }
  rewrite (sum_ext rows _ (fun k => x' k * delta i k + - (x i * x' k))) in mean_of_equations
    by (intros; ring).
  rewrite sum_plus, sum_opp, sum_scale, (proj2 mx'), (sum_delta rows i x' nd hi) in mean_of_equations.
  assert (sum rows (fun k => x' k * sum columns (fun j => c i j * (A k j - v))) == 0) as E.
  { rewrite (sum_ext rows _ (fun k => sum columns (fun j => x' k * (c i j * (A k j - v)))))
      by (intros; rewrite sum_scale; reflexivity).
    rewrite sum_swap. rewrite <- (sum_zero columns). apply sum_ext. intros j hj.
    rewrite (sum_ext rows _ (fun k => c i j * (x' k * A k j + - (v * x' k)))) by (intros; ring).
    rewrite sum_scale, sum_plus, sum_opp, sum_scale, (proj2 mx').
    destruct (Qeq_dec (y j) 0) as [z|nz]; [rewrite (idle i j hi hj z); ring|].
    assert (sum rows (fun k => x' k * A k j) == v) as -> by (pose proof (tight_columns j hj); nra).
    ring. }
  lra.
Qed.
