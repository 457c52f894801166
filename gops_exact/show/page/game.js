// The game itself: positions, and what a round does to them.
// A position is {hands: [V, Y], prizes, margin, pot}: cards ascending, prizes as the rules have
// them come, margin and pot only where the rules need them.

const DATA = JSON.parse(document.getElementById("data").textContent);

const wholeHand = Array.from({ length: DATA.n }, (_, i) => i + 1);
const deck = DATA.deck ?? wholeHand; // the prizes, ascending
const without = (cards, card) => {
  const place = cards.indexOf(card);
  return cards.filter((_, i) => i !== place);
};
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

const isHidden = (rules) => rules.prizes === "hidden";
const isFixed = (rules) => rules.prizes !== "random" && !isHidden(rules);
const isWinning = (rules) => rules.objective === "win";

/** The position before the first round. */
function start(rules) {
  const order = { descending: [...deck].reverse() }[rules.prizes] ?? deck;
  const prizes = Array.isArray(rules.prizes) ? rules.prizes : order;
  return { hands: [wholeHand, wholeHand], prizes, margin: 0, pot: 0 };
}

const prizesName = (rules) => [rules.prizes].flat().join(",");
const slug = (rules) => `${rules.objective}-${rules.ties}-${prizesName(rules)}`;

/** The page's game by some rules, if it has one. */
const ownGame = (rules) => DATA.games.find((game) => slug(game.rules) === slug(rules));

const ownRules = () => DATA.games.map(({ rules }) => rules);
const OWN_REACH = `This page holds the game of ${DATA.n} cards: any position that its rounds lead to.`;

/** Whether each card is there no more often than in a whole hand or deck. */
const isPart = (cards, all) => {
  const times = (card, among) => among.filter((each) => each === card).length;
  return cards.every((card) => times(card, cards) <= times(card, all));
};

/** Whether hands and prizes are those of the page's game. */
const isOfGame = ({ hands, prizes }) =>
  isPart(prizes, deck) && hands.every((hand) => isPart(hand, wholeHand));

/** The prizes that can be turned up next. */
const upcards = (rules, position) =>
  isFixed(rules) ? position.prizes.slice(0, 1) : position.prizes;

/** What is left after both bid for an upcard. */
function after(rules, position, upcard, bids) {
  const winner = Math.sign(bids[0] - bids[1]);
  const stake = upcard + position.pot;
  return {
    hands: position.hands.map((hand, player) => without(hand, bids[player])),
    prizes: without(position.prizes, upcard),
    margin: isWinning(rules) ? position.margin + winner * stake : 0,
    pot: winner === 0 && rules.ties === "carryover" ? stake : 0,
  };
}

/** What a round pays player one at once, in the units of the value. */
const gain = (rules, position, upcard, bids) =>
  isWinning(rules) ? 0 : Math.sign(bids[0] - bids[1]) * (upcard + position.pot);

/** What a player is told of a game that is over before its last round. */
const DECIDED = "The game is decided: no prize that is left can change it.";

/** Who has won, −1, 0 or 1, once no round can change it; null before. */
function decided(rules, position) {
  if (position.prizes.length === 0) return Math.sign(position.margin);
  if (!isWinning(rules)) return null;
  const left = sum(position.prizes) + position.pot;
  return Math.abs(position.margin) > left ? Math.sign(position.margin) : null;
}

/** The name of the value table that holds a position, seen by player one (side 1) or two (−1). */
const stateName = ({ prizes, margin, pot }, side) =>
  `${prizes.join(" ")}|${side * margin || 0},${pot}`;

/** The name of the game of bids at a position and upcard, by which its solution is kept. */
const gameName = (game, position, upcard) => JSON.stringify([slug(game.rules), position, upcard]);

/** A function that solves games of bids, each of them once. */
function keeping(solve) {
  const kept = new Map();
  return (...asked) => {
    const name = gameName(...asked);
    if (!kept.has(name)) kept.set(name, solve(...asked));
    return kept.get(name);
  };
}

/** The word of two hands over V, Y and B, and which way round it is kept: 1, or −1 if mirrored. */
function orderType([one, two]) {
  const cards = [...new Set([...one, ...two])].sort((a, b) => a - b);
  const word = cards
    .map((card) => (one.includes(card) ? (two.includes(card) ? "B" : "V") : "Y"))
    .join("");
  if (word.replace(/B/g, "")[0] !== "Y") return { word, side: 1 };
  const mirrored = { V: "Y", Y: "V", B: "B" };
  return { word: [...word].map((letter) => mirrored[letter]).join(""), side: -1 };
}
