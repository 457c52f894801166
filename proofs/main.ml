(* Reads a certificate, in the format of docs/proofs.md, and asks the checker that Coq wrote: checker < FILE *)

module Integer = Z  (* Zarith's; the checker has a Z of its own *)
open Checker

let refuse reason = prerr_endline ("refused: " ^ reason); exit 1

(* Integer.of_string reads more than decimal digits, such as 0x1f, 1_000 and +1. *)
let digits text = text <> "" && String.for_all (fun c -> '0' <= c && c <= '9') text

let integer text =
  let start = if String.starts_with ~prefix:"-" text then 1 else 0 in
  if digits (String.sub text start (String.length text - start)) then Integer.of_string text
  else refuse ("no integer: " ^ text)

let integers text = List.map integer (String.split_on_char ',' text)

let fraction text =
  match List.map integer (String.split_on_char '/' text) with
  | [ p ] -> { qnum = p; qden = Integer.one }
  | [ p; q ] when Integer.sign q > 0 -> { qnum = p; qden = q }
  | _ -> refuse ("no fraction: " ^ text)

let rules objective ties order = {
  goal = List.assoc objective [ "points", Points; "win", Win ];
  tied = List.assoc ties [ "discard", Discard; "carryover", Carryover ];
  prizes = List.assoc order [ "random", Random; "hidden", Hidden; "known", Known ];
}

let only = function
  | [] -> None
  | [ text ] -> (
    match List.map integers (String.split_on_char ';' text) with
    | [ d ] :: (_ :: _ as numerators) -> Some (d, numerators)
    | _ -> refuse "no proof of the only strategies")
  | _ -> refuse "a turn with too many words"

let turn = function
  | "turn" :: value :: row :: column :: proof ->
    { value = fraction value; row = integers row; column = integers column; only = only proof }
  | _ -> refuse "a turn without a line"

let rec positions read = function
  | [ [ "end"; n ] ] when digits n && int_of_string n = List.length read -> List.rev read
  | ("position" :: one :: two :: left :: margin :: pot :: [ worth ]) :: rest ->
    let place = {
      one = integers one; two = integers two; left = integers left;
      margin = integer margin; pot = integer pot;
    } in
    let rec split turns = function
      | (("position" | "end") :: _) :: _ as rest -> (List.rev turns, rest)
      | line :: rest -> split (turn line :: turns) rest
      | [] -> refuse "a missing part"
    in
    let plans, rest = split [] rest in
    positions ({ place; worth_of = fraction worth; plans } :: read) rest
  | _ -> refuse "a missing part"

let rec lines () = match input_line stdin with
  | line -> let words = String.split_on_char ' ' line in words :: lines ()
  | exception End_of_file -> []

let shown l = String.concat "," (List.map Integer.to_string l)

let prove = function
  | [ "gops-certificate"; "1"; objective; ties; order ] :: rest ->
    let stated = positions [] rest in
    if not (certified (rules objective ties order) stated) then refuse "the checker says no";
    let { place = p; worth_of = v; _ } = List.nth stated (List.length stated - 1) in
    let number = Integer.to_string in
    let worth = number v.qnum ^ if Integer.equal v.qden Integer.one then "" else "/" ^ number v.qden in
    print_endline (String.concat " " [ "proved:"; objective; ties; order; shown p.one; shown p.two; shown p.left;
      number p.margin; number p.pot; worth ])
  | _ -> refuse "another format"

let () =
  try prove (lines ()) with Invalid_argument _ | Failure _ | Not_found -> refuse "no number, no rule or no position"
