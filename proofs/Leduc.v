(** * The value of Leduc poker

    Southey et al. (2005, Bayes' bluff), with the rules of OpenSpiel. The deck has six cards, J, Q and K in two suits.
    Both players ante 1 and are dealt a card. After a round of bets a public card is turned up, and there is a second
    round. A raise is 2 in the first round and 4 in the second, with at most two raises a round. A card that makes a pair
    with the public one wins, otherwise the higher card.

    [run.py] has the package write [LeducTree.v], a tree with two strategies that are proved to be an equilibrium. Here
    are the rules, and that they make the same tree. *)

From Coq Require Import String Ascii QArith List ZArith Bool.
From Gops Require Import Tree LeducTree.
Import ListNotations.
Open Scope string_scope.

Definition deck := ["Ja"; "Jb"; "Qa"; "Qb"; "Ka"; "Kb"].

Definition rank (card : string) : Z :=
  match card with String "J" _ => 0 | String "Q" _ => 1 | _ => 2 end.

Definition strength (public card : string) : Z := if Z.eqb (rank card) (rank public) then 3 else rank card.

(** The moves of a round are a text: f (fold), c (check or call), r (raise). *)
Fixpoint raises (moves : string) : Z :=
  match moves with EmptyString => 0 | String m rest => (if Ascii.eqb m "r" then 1 else 0) + raises rest end.

Fixpoint last (moves : string) : string :=
  match moves with String m (String _ _ as rest) => last rest | _ => moves end.

(** The tree after [cards] are dealt, to player one, to player two and to both, and after the moves [before] of the first
    round if it is over, and the moves of this round. No game has more than [n] moves and deals left. *)
Fixpoint play (n : nat) (cards : list string) (before : option string) (moves : string) : tree :=
  match n with
  | O => End 0
  | S n =>
    let left := filter (fun card => negb (existsb (String.eqb card) cards)) deck in
    let deal next := Chance (map (fun card => (1 # Pos.of_nat (List.length left), next (cards ++ [card])%list)) left) in
    let over := (last moves =? "c") && negb (moves =? "c") in
    let higher := match before with None => 2%Z | Some _ => 4%Z end in
    let staked := (1 + higher * raises moves + match before with None => 0 | Some m => 2 * raises m end)%Z in
    let mover := if Nat.even (String.length moves) then One else Two in
    match cards with
    | one :: two :: public =>
      match over, before, public with
      | true, None, _ => deal (fun cards => play n cards (Some moves) "")
      | true, Some _, card :: _ => End (inject_Z (staked * Z.sgn (strength card one - strength card two)))
      | _, _, _ =>
        if last moves =? "f" (* the last raise is not paid *)
        then End (inject_Z ((staked - higher) * match mover with One => 1 | Two => -1 end))
        else
          let choice := ["c"] ++ (if last moves =? "r" then ["f"] else [])
                              ++ (if (raises moves <? 2)%Z then ["r"] else []) in
          let card := match mover with One => one | Two => two end in
          let knows := [card] ++ match before with None => [] | Some m => [m] end ++ public
                              ++ (if moves =? "" then [] else [moves]) in
          Move mover (String.concat " " knows) (map (fun m => play n cards before (moves ++ m)%string) choice)
      end
    | _ => deal (fun cards => play n cards before moves)
    end
  end%list.

Definition leduc : tree := play 12 [] None "".

Fixpoint ends (t : tree) : Z :=
  match t with
  | End _ => 1
  | Chance draws => fold_right (fun d n => ends (snd d) + n)%Z 0%Z draws
  | Move _ _ after => fold_right (fun t n => ends t + n)%Z 0%Z after
  end.

Lemma leaves : ends leduc = 5520%Z.
Proof. vm_compute. reflexivity. Qed.

Lemma same_tree : LeducTree.game = leduc.
Proof. vm_cast_no_check (eq_refl leduc). Qed.

Theorem leduc_value : is_value leduc (-1454920850547486749701863871533 # 16995463438839962469905132501930).
Proof. rewrite <- same_tree. exists (playing row), (playing column). exact solved. Qed.

Print Assumptions leduc_value.
