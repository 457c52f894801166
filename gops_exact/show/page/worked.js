// Worked solutions of positions of few bids, as on a blackboard: the steps of `gx.explain`, without dominance.

/** The most bids a side of a position that is worked out: equations of more unknowns fit no line. */
const MOST_WORKED = 3;

/** By the number of bids that are played: their probabilities. */
const UNKNOWNS = {
  2: (letter) => [letter, `(1 - ${letter})`],
  3: (letter) => [`${letter}₁`, `${letter}₂`, `(1 - ${letter}₁ - ${letter}₂)`],
};

/** A fraction in lowest terms, "p/q" or "p". */
function fractionText(fraction) {
  const { p, q } = reduced(fraction);
  return q === 1n ? `${p}` : `${p}/${q}`;
}

/** A linear form, such as "-1/2 p + 2 (1 - p)". */
function linearForm(factors, names) {
  let text = "";
  names.forEach((name, i) => {
    const { p, q } = reduced(factors[i]);
    if (p === 0n) return;
    const size = fractionText({ p: magnitude(p), q });
    text += ` ${p < 0n ? "-" : "+"} ${size === "1" ? "" : `${size} `}${name}`;
  });
  return text.replace(/^ - /, "-").replace(/^ \+ /, "") || "0";
}

/**
 * The equations of the probabilities with which the gains on all lines are equal: {said} a sentence,
 * {formula} a line of its own. A line of `gains` is a reply of the other, with an entry for each bid.
 */
function equations(letter, chances, gains) {
  const names = UNKNOWNS[chances.length](letter);
  const last = gains.at(-1);
  const differences = gains.slice(0, -1).map((line) => {
    const slopes = line.map((gain, i) => minus(gain, last[i]));
    const level = slopes.at(-1);
    const factors = slopes.slice(0, -1).map((slope) => minus(slope, level));
    return `${linearForm(factors, names.slice(0, -1))} = ${fractionText(negative(level))}`;
  });
  const found = names.slice(0, -1).map((name, i) => `${name} = ${fractionText(chances[i])}`);
  return [
    { formula: names.join(", ").replace(/[()]/g, "") },
    { said: "for which the opponent’s replies all give the same:" },
    { formula: gains.map((line) => linearForm(line, names)).join(" = ") },
    { said: "Subtracting the last of these leaves" },
    ...differences.map((formula) => ({ formula })),
    { said: "and so" },
    { formula: [...found, `v = ${fractionText(product(chances, last))}`].join(", ") },
  ];
}

const least = (numbers) => numbers.reduce((a, b) => (compared(a, b) <= 0 ? a : b));
const greatest = (numbers) => numbers.reduce((a, b) => (compared(a, b) >= 0 ? a : b));
const listed = (numbers) => numbers.map(fractionText).join(", ");

/** The steps to a solution: a saddle point, or equations on the bids that are played; and the proof. */
function worked({ game, position, upcard }, { matrix, mixes, against }) {
  const columns = matrix[0].map((_, j) => matrix.map((row) => row[j]));
  const [minima, maxima] = [matrix.map(least), columns.map(greatest)];
  const [low, high] = [greatest(minima), least(maxima)].map(fractionText);
  const names = position.hands.map((hand) => hand.map(cardName));
  const steps = [
    { said: "The least that each bid of player one gains, and the most that each bid of player two gives:" },
    { formula: `${listed(minima)}; ${listed(maxima)}` },
  ];
  if (low === high)
    steps.push(
      { said: "The greatest of these minima is the least of these maxima: there is a saddle point." },
      { formula: `${low} = v = ${high}` },
    );
  else {
    const [rows, heads] = basisOf(game, position, isHidden(game.rules) ? null : upcard);
    const named = (player, places) => places.map((place) => names[player][place]).join(", ");
    const cell = (i, j) => matrix[i][j];
    steps.push(
      { said: "The greatest of these minima is below the least of these maxima: there is no saddle point." },
      { formula: `${low} ≤ v ≤ ${high}` },
      { said: `Player one bids ${named(0, rows)} with probabilities` },
      ...equations(
        "p",
        rows.map((i) => mixes[0][i]),
        heads.map((j) => rows.map((i) => cell(i, j))),
      ),
      { said: `Player two bids ${named(1, heads)} with probabilities` },
      ...equations(
        "q",
        heads.map((j) => mixes[1][j]),
        rows.map((i) => heads.map((j) => cell(i, j))),
      ),
    );
  }
  const [gained, paid] = [against[1], against[0]];
  return [
    ...steps,
    { said: `Player one then gains, against ${names[1].join(", ")}:` },
    { formula: `${listed(gained)} ≥ v` },
    { said: `Player two then pays, against ${names[0].join(", ")}:` },
    { formula: `${listed(paid)} ≤ v` },
  ];
}

/** A formula with its fractions set small, its signs as they are printed. */
function formulaParts(formula) {
  return formula.split(/(\d+\/\d+)/).map((part, at) => {
    if (at % 2 === 0) return part.replaceAll("-", "−");
    const [top, bottom] = part.split("/");
    return [el("sup", {}, top), "⁄", el("sub", {}, bottom)];
  });
}

let isWorkedOpen = false; // as it was left, on whatever position

/** The worked solution of a position of few bids, folded; null of others. */
function workedSolution(place, solved) {
  const { hands } = place.position;
  if (hands[0].length > MOST_WORKED || !solved.sound) return null;
  const lines = worked(place, solved).map(({ said, formula }) =>
    said ? el("p", {}, said) : el("p", { class: "formula" }, ...formulaParts(formula).flat()),
  );
  const toggled = (event) => (isWorkedOpen = event.target.open);
  return el(
    "details",
    { class: "worked", open: isWorkedOpen, ontoggle: toggled },
    el("summary", { "data-key": "worked" }, "Worked solution"),
    lines,
  );
}
