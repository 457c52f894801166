// Sphinx's own scores, which this file replaces as a whole, except that options of the main command come before
// those of other commands, and attributes of classes, which often bear the names of options, after both.
var Scorer = {
  score: ([page, , , kind, score]) =>
    score + (page === "commands/first-move" ? 1 : 0) - (/attribute/.test(kind) ? 10 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
