// Sphinx's own scores, which this file replaces as a whole, but that options of commands come before fields
// of their name, and of options of several commands the main command's come first.
var Scorer = {
  score: ([page, , anchor, , score]) =>
    score + (anchor.includes("cmdoption") ? 10 : 0) + (page === "commands/first-move" ? 1 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
