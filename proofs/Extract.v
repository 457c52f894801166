(** * The checker as a program

    Coq's kernel takes too long over certificates with long numbers. This writes the checker as a program in OCaml,
    [checker.ml], which computes with the integers of the library Zarith; [main.ml] reads certificates for it. What the
    program accepts is true by [sound] if the translation, [main.ml], OCaml and Zarith are right: these are trusted
    besides. *)

From Coq Require Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlZBigInt.
From Gops Require Import Certificate.

(** To cancel a fraction by Zarith's greatest common divisor. *)
Extract Constant Z.ggcd => "(fun a b ->
  let g = Big_int_Z.gcd_big_int a b in
  if Big_int_Z.sign_big_int g = 0 then (g, (a, b))
  else (g, (Big_int_Z.div_big_int a g, Big_int_Z.div_big_int b g)))".

Extraction "checker.ml" certified.
