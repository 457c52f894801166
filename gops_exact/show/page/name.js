// The name of a position, as FEN is for chess, 2.4_1.3_12.13@13, by the grammar of game/game.py.

const ORDER_LETTERS = { random: "", hidden: "h", ascending: "a", descending: "d" };
const CARDS_OF_NAME = "((?:[1-9][0-9]*\\.)*[1-9][0-9]*|)";
const PRIZES_OF_NAME = CARDS_OF_NAME.replaceAll("[1-9][0-9]*", "(?:0|[1-9][0-9]*)");
const AFTER_PRIZES = "a card, @ and the upcard, _w, _m and a margin, _c, _p and a pot, or its end";

/** The parts of a name in their order: pattern, and words for one that does not match. */
const NAME_PARTS = [
  [CARDS_OF_NAME, "the cards of player one"],
  [`_${CARDS_OF_NAME}`, "_ and the cards of player two"],
  ["_([hadf]?)", "_ and the prizes left"],
  [PRIZES_OF_NAME, "the prizes left"],
  ["(?:@(0|[1-9][0-9]*))?", ""],
  ["(_w)?", ""],
  ["(?:_m(-?[1-9][0-9]*))?", ""],
  ["(_c)?", ""],
  ["(?:_p([1-9][0-9]*))?", ""],
  ["()$", AFTER_PRIZES],
];

const MOST_DIGITS = 9; // of a number, so that sums are exact

/** The name of a position by some rules, with the prize turned up unless it is null. */
function nameOf(rules, { hands, prizes, margin, pot }, upcard = null) {
  const isListed = Array.isArray(rules.prizes);
  const letter = isListed ? "f" : ORDER_LETTERS[rules.prizes];
  const [one, two, deck] = [...hands, isListed ? rules.prizes : prizes].map((cards) =>
    cards.join("."),
  );
  return [
    `${one}_${two}_${letter}${deck}`,
    upcard === null ? "" : `@${upcard}`,
    isWinning(rules) ? "_w" : "",
    margin ? `_m${margin}` : "",
    rules.ties === "carryover" ? "_c" : "",
    pot ? `_p${pot}` : "",
  ].join("");
}

/** {rules, position, upcard} of a name; an error whose message names the place if it is none. */
function parsed(text) {
  const found = [];
  let place = 0;
  for (const [pattern, what] of NAME_PARTS) {
    const matcher = new RegExp(pattern, "y");
    matcher.lastIndex = place;
    const part = matcher.exec(text);
    if (!part) {
      const got = text.slice(place, place + 9) || "the end";
      throw new Error(`a position must have ${what} at character ${place + 1}, got ${got}`);
    }
    found.push(part[1] ?? "");
    place += part[0].length;
  }
  const long = found
    .slice(0, -1)
    .join(".")
    .match(`[0-9]{${MOST_DIGITS + 1},}`);
  if (long)
    throw new Error(`a number must have at most ${MOST_DIGITS} digits here, got ${long[0]}`);
  const cards = (part) => part.split(".").filter(Boolean).map(Number);
  const ascending = (numbers) => [...numbers].sort((a, b) => a - b);
  const [one, two, letter, deck, up, winning, margin, carried, pot] = found;
  const order = Object.keys(ORDER_LETTERS).find((name) => ORDER_LETTERS[name] === letter);
  const rules = {
    objective: winning ? "win" : "points",
    ties: carried ? "carryover" : "discard",
    prizes: order ?? cards(deck),
  };
  const hands = [one, two].map((hand) => ascending(cards(hand)));
  let prizes = cards(deck);
  if (!order) prizes = prizes.slice(Math.max(prizes.length - hands[0].length, 0));
  else prizes = rules.prizes === "descending" ? ascending(prizes).reverse() : ascending(prizes);
  const position = { hands, prizes, margin: Number(margin), pot: Number(pot) };
  const upcard = up ? Number(up) : null;
  const wrong = contradiction(rules, position, upcard);
  if (wrong) throw new Error(wrong);
  const name = nameOf(rules, position, upcard);
  if (name !== text) throw new Error(`a position is written in one way, ${name}, got ${text}`);
  return { rules, position, upcard };
}

/** What is wrong with a position by some rules, in words; null if nothing is. */
function contradiction(rules, position, upcard) {
  const { hands, prizes, margin, pot } = position;
  for (const [player, hand] of hands.entries()) {
    const repeated = hand.find((each, i) => each === hand[i + 1]);
    const whose = `player ${["one", "two"][player]}`;
    if (hand.includes(0)) return `the cards of ${whose} must be at least 1, got 0`;
    if (repeated) return `the cards of ${whose} must be distinct, got ${repeated} twice`;
  }
  const sizes = [...hands, prizes].map((cards) => cards.length);
  if (new Set(sizes).size > 1)
    return `both hands and the prizes must be of one size, got ${sizes.join(", ")} cards`;
  if (margin && !isWinning(rules))
    return `the margin must be 0 where points are played for, got ${margin}`;
  if (pot && rules.ties === "discard")
    return `the pot must be 0 where ties are discarded, got ${pot}`;
  if (upcard === null) return null;
  if (isHidden(rules)) return `the upcard must be left out where prizes are hidden, got ${upcard}`;
  const choices = upcards(rules, position);
  if (choices.includes(upcard)) return null;
  return `the upcard must be one of ${choices.join(", ") || "no prizes"}, got ${upcard}`;
}
