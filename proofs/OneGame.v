(** * Checking one matrix game

    Strategies are given as weights, and the payoffs as a table. The checks here are programs, functions to [bool];
    each comes with the proof that its [true] can be relied upon. *)

From Coq Require Import QArith List Lqa ZArith Bool.
From Gops Require Import MatrixGame.
Import ListNotations.
Open Scope Q_scope.

(** ** Weights *)

(** The weight of a card, and its probability. *)
Fixpoint weight (hand weights : list Z) (c : Z) : Q :=
  match hand, weights with
  | d :: hand', w :: weights' => if Z.eqb d c then inject_Z w else weight hand' weights' c
  | _, _ => 0
  end.

Definition scaled (hand : list Z) (w : Z -> Q) (c : Z) : Q := w c / sum hand w.

Definition chance (hand weights : list Z) : Z -> Q := scaled hand (weight hand weights).

(** ** Tables of numbers, so that each is computed once *)

Fixpoint find {T} (k : Z) (t : list (Z * T)) (other : T) : T :=
  match t with [] => other | (k', v) :: t' => if Z.eqb k' k then v else find k t' other end.

Definition tabulate {T} (l : list Z) (g : Z -> T) : list (Z * T) := map (fun k => (k, g k)) l.

Lemma find_tabulate {T} l (g : Z -> T) k other : In k l -> find k (tabulate l g) other = g k.
Proof.
  induction l as [|a l IH]; simpl; [tauto|]. intros h. destruct (Z.eqb_spec a k); [congruence|].
  apply IH. destruct h; [congruence|assumption].
Qed.

Definition table2 := list (Z * list (Z * Q)).

Definition cell (t : table2) i j : Q := find j (find i t []) 0.

Definition tabulate2 (rows columns : list Z) (A : Z -> Z -> Q) : table2 :=
  tabulate rows (fun i => tabulate columns (A i)).

Lemma cell_tabulate2 rows columns A i j :
  In i rows -> In j columns -> cell (tabulate2 rows columns A) i j = A i j.
Proof. intros hi hj. unfold cell, tabulate2. rewrite find_tabulate, find_tabulate by assumption. reflexivity. Qed.

(** ** Checking one matrix game *)

Section Checking.

Variables (rows columns : list Z) (A : Z -> Z -> Q).

Definition are_weights (l : list Z) (w : Z -> Q) : bool :=
  forallb (fun c => Qle_bool 0 (w c)) l && negb (Qle_bool (sum l w) 0).

(** [w] and [z] are the players' weights. *)
Definition is_equilibrium (w z : Z -> Q) (v : Q) : bool :=
  are_weights rows w && are_weights columns z &&
  (let least := v * sum rows w in
   forallb (fun j => Qle_bool least (sum rows (fun i => w i * A i j))) columns) &&
  (let most := v * sum columns z in
   forallb (fun i => Qle_bool (sum columns (fun j => A i j * z j)) most) rows).

Lemma are_weights_ok l w : are_weights l w = true -> 0 < sum l w /\ mixed l (scaled l w).
Proof.
  intros h. apply andb_prop in h as [h s]. rewrite forallb_forall in h.
  assert (0 < sum l w) as pos.
  { apply Qnot_le_lt. intros n. apply Qle_bool_iff in n. rewrite n in s. discriminate. }
  split; [exact pos|]. split.
  - intros c hc. unfold scaled. apply Qle_shift_div_l; [exact pos|]. rewrite Qmult_0_l.
    apply Qle_bool_iff. auto.
  - unfold scaled, Qdiv. rewrite (sum_ext l _ (fun c => / sum l w * w c)) by (intros; ring).
    rewrite sum_scale. field. lra.
Qed.

Lemma is_equilibrium_ok w z v : is_equilibrium w z v = true ->
  equilibrium rows columns A (scaled rows w) (scaled columns z) v.
Proof.
  intros h. apply andb_prop in h as [h c]. apply andb_prop in h as [h g]. apply andb_prop in h as [mx my].
  cbv zeta in c, g. rewrite forallb_forall in c, g.
  apply are_weights_ok in mx as [pw mx]. apply are_weights_ok in my as [pz my].
  split; [exact mx|]. split; [exact my|]. unfold scaled, Qdiv. split.
  - intros j hj. specialize (g j hj). apply Qle_bool_iff in g.
    rewrite (sum_ext rows _ (fun i => / sum rows w * (w i * A i j))) by (intros; ring). rewrite sum_scale.
    rewrite Qmult_comm. apply Qle_shift_div_l; assumption.
  - intros i hi. specialize (c i hi). apply Qle_bool_iff in c.
    rewrite (sum_ext columns _ (fun j => / sum columns z * (A i j * z j))) by (intros; ring). rewrite sum_scale.
    rewrite Qmult_comm. apply Qle_shift_div_r; assumption.
Qed.

Fixpoint distinct (l : list Z) : bool :=
  match l with [] => true | c :: rest => negb (existsb (Z.eqb c) rest) && distinct rest end.

Lemma distinct_ok l : distinct l = true -> NoDup l.
Proof.
  induction l as [|c l IH]; simpl; intros h; constructor; apply andb_prop in h as [h1 h2]; auto.
  intros hc. apply negb_true_iff in h1. assert (existsb (Z.eqb c) l = true) as E; [|congruence].
  apply existsb_exists. exists c. split; [assumption|apply Z.eqb_refl].
Qed.

(** The equations of [only_one] for the numbers [c i j / d], without fractions. *)
Definition is_only (w z : Z -> Q) (v d : Q) (c : Z -> Z -> Q) : bool :=
  distinct rows && negb (Qeq_bool d 0) &&
  forallb (fun i => forallb (fun j => negb (Qeq_bool (z j) 0) || Qeq_bool (c i j) 0) columns) rows &&
  (let total := sum rows w in
   let level := v * sum columns z in
   forallb (fun k => negb (Qeq_bool (sum columns (fun j => A k j * z j)) level) ||
     forallb (fun i => Qeq_bool (d * (total * delta i k - w i))
       (total * sum columns (fun j => c i j * (A k j - v)))) rows) rows).

Lemma is_only_ok w z v d c : is_equilibrium w z v = true -> is_only w z v d c = true ->
  only_optimal rows columns A (scaled rows w) v.
Proof.
  intros eq h. pose proof (is_equilibrium_ok w z v eq) as e.
  apply andb_prop in eq as [eq _]. apply andb_prop in eq as [eq _]. apply andb_prop in eq as [pw pz].
  apply are_weights_ok in pw as [pw _]. apply are_weights_ok in pz as [pz _].
  apply andb_prop in h as [h reg]. apply andb_prop in h as [h idle]. apply andb_prop in h as [nd d0].
  assert (~ d == 0) as nz by (intros n; apply Qeq_bool_iff in n; rewrite n in d0; discriminate).
  cbv zeta in reg.
  apply only_one with (y := scaled columns z) (c := fun i j => c i j / d); auto using distinct_ok.
  - intros i j hi hj zero. rewrite forallb_forall in idle. specialize (idle i hi).
    rewrite forallb_forall in idle. specialize (idle j hj). apply orb_prop in idle as [n|e0].
    + assert (z j == 0) as z0.
      { unfold scaled in zero. assert (z j == z j / sum columns z * sum columns z) as -> by (field; lra).
        rewrite zero. ring. }
      apply Qeq_bool_iff in z0. rewrite z0 in n. discriminate.
    + apply Qeq_bool_iff in e0. rewrite e0. field. exact nz.
  - intros i k hi hk t. rewrite forallb_forall in reg. specialize (reg k hk). apply orb_prop in reg as [n|reg].
    + assert (sum columns (fun j => A k j * z j) == v * sum columns z) as t'.
      { rewrite <- t. unfold scaled, Qdiv.
        rewrite (sum_ext columns (fun j => A k j * (z j * / sum columns z))
          (fun j => / sum columns z * (A k j * z j))) by (intros; ring).
        rewrite sum_scale. field. lra. }
      apply Qeq_bool_iff in t'. rewrite t' in n. discriminate.
    + rewrite forallb_forall in reg. specialize (reg i hi). apply Qeq_bool_iff in reg.
      unfold scaled, Qdiv.
      rewrite (sum_ext columns (fun j => c i j * / d * (A k j - v)) (fun j => / d * (c i j * (A k j - v))))
        by (intros; ring).
      rewrite sum_scale.
      assert (delta i k - w i * / sum rows w ==
        / d * / sum rows w * (d * (sum rows w * delta i k - w i))) as -> by (field; lra).
      rewrite reg. field. lra.
Qed.

End Checking.
