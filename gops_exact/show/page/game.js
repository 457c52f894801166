// The game itself: positions, what a round does to them, and their matrix games, exactly.
// A position is {hands: [V, Y], prizes, margin, pot}: cards ascending, prizes as the rules have
// them come, margin and pot only where the rules need them.

const DATA = JSON.parse(document.getElementById("data").textContent);

/** Where an order type of k cards a side stands in a slab: PLACES[k].get(word). */
const PLACES = DATA.words.map((words) => new Map(words.map((word, place) => [word, place])));

const deck = Array.from({ length: DATA.n }, (_, i) => i + 1);
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
  return { hands: [deck, deck], prizes, margin: 0, pot: 0 };
}

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

/** Who has won, −1, 0 or 1, once no round can change it; null before. */
function decided(rules, position) {
  if (position.prizes.length === 0) return Math.sign(position.margin);
  if (!isWinning(rules)) return null;
  const left = sum(position.prizes) + position.pot;
  return Math.abs(position.margin) > left ? Math.sign(position.margin) : null;
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

/** A position's slab, its place there, and which way round. */
function found(game, position) {
  const { word, side } = orderType(position.hands);
  const name = `${position.prizes.join(" ")}|${side * position.margin || 0},${position.pot}`;
  return { slab: game.slabs[name], place: PLACES[position.hands[0].length].get(word), side };
}

/** The value of a position before the next prize is turned up, player one's gain from there on. */
function positionValue(game, position) {
  const outcome = decided(game.rules, position);
  if (outcome !== null) return { p: isWinning(game.rules) ? BigInt(outcome) : 0n, q: 1n };
  const { slab, place, side } = found(game, position);
  slab.parsed ??= new Map();
  if (!slab.parsed.has(place)) slab.parsed.set(place, rational(slab.values[place]));
  const value = slab.parsed.get(place);
  return side > 0 ? value : negative(value);
}

/** What both gain at once and what follows is worth: the two parts of one entry. */
function entry(game, position, upcard, bids) {
  const now = BigInt(gain(game.rules, position, upcard, bids));
  return {
    now: { p: now, q: 1n },
    later: positionValue(game, after(game.rules, position, upcard, bids)),
  };
}

/** The payoff matrix: rows player one's bids, columns player two's; upcard null for a hidden one. */
function payoffs(game, position, upcard) {
  const prizes = upcard === null ? position.prizes : [upcard];
  const share = { p: 1n, q: BigInt(prizes.length) };
  return position.hands[0].map((row) =>
    position.hands[1].map((column) => {
      const parts = prizes.map((prize) => entry(game, position, prize, [row, column]));
      const total = parts.reduce((all, { now, later }) => plus(all, plus(now, later)), ZERO);
      return prizes.length > 1 ? times(share, total) : total;
    }),
  );
}

const cardsOf = (mask) => [0, 1, 2, 3, 4, 5, 6, 7].filter((card) => (mask >> card) & 1);

/** The bids that are played: [rows, columns] as places in the hands. */
function basisOf(game, position, upcard) {
  const { slab, place, side } = found(game, position);
  const draws = [...new Set(upcards(game.rules, position))];
  const draw = upcard === null ? 0 : draws.indexOf(upcard);
  const masks = slab.bases[place].slice(2 * draw, 2 * draw + 2).map(cardsOf);
  return side > 0 ? masks : masks.reverse();
}

/**
 * Both strategies on a basis, over the whole hands. With every row scaled to integers by d_i,
 * player two's y and the value v solve N y = v d, sum y = 1, and player one's x, through
 * z_i = x_i / d_i, the transposed system: one bordered matrix serves both.
 */
function strategiesOn([rows, columns], matrix) {
  const scales = rows.map((i) =>
    columns.reduce((scale, j) => {
      const { q } = matrix[i][j];
      return (scale / greatestCommonDivisor(scale, q)) * q;
    }, 1n),
  );
  const bordered = rows.map((i, r) => [
    ...columns.map((j) => (matrix[i][j].p * scales[r]) / matrix[i][j].q),
    scales[r],
  ]);
  bordered.push([...columns.map(() => 1n), 0n]);
  const transposed = bordered[0].map((_, j) => bordered.map((row) => row[j]));
  const x = lastUnitSolution(transposed);
  const y = lastUnitSolution(bordered);
  return [
    spread(rows, matrix.length, (r) => times(x[r], { p: scales[r], q: 1n })),
    spread(columns, matrix[0].length, (c) => y[c]),
  ];
}

function spread(places, size, probability) {
  const strategy = Array(size).fill(ZERO);
  places.forEach((place, r) => (strategy[place] = probability(r)));
  return strategy;
}

const solved = new Map();

/**
 * Optimal play at a position and upcard: {matrix, mixes: [x, y], value, against: [Xy, xX], sound,
 * strict}. `against[0][i]` is what player one gains by bid i against the other's mix. `sound` says
 * that the page has checked the answer: probabilities, and no bid of either side does better.
 * `strict` says that every other bid does worse, so that each mix is the only optimal one.
 */
function solution(game, position, upcard) {
  const key = JSON.stringify([DATA.games.indexOf(game), position, upcard]);
  if (!solved.has(key)) solved.set(key, solve(game, position, upcard));
  return solved.get(key);
}

function solve(game, position, upcard) {
  const matrix = payoffs(game, position, upcard);
  const basis = basisOf(game, position, upcard);
  const isFirst = position.prizes.length === DATA.n;
  const opening = isFirst && game.openings[upcard ?? "hidden"];
  const mixes = opening
    ? [opening.map(rational), opening.map(rational)]
    : strategiesOn(basis, matrix);
  const against = [
    matrix.map((row) => product(row, mixes[1])),
    matrix[0].map((_, j) =>
      product(
        matrix.map((row) => row[j]),
        mixes[0],
      ),
    ),
  ];
  const value = isFirst ? ZERO : against[0][basis[0][0]];
  const better = [
    against[0].map((payoff) => compared(payoff, value)),
    against[1].map((payoff) => -compared(payoff, value)),
  ];
  const isMix = (mix) =>
    mix.every(({ p }) => p >= 0n) && compared(mix.reduce(plus, ZERO), ONE) === 0;
  const sound = mixes.every(isMix) && better.flat().every((sign) => sign <= 0);
  const strict = better.every((signs, player) =>
    signs.every((sign, place) => sign < 0 === (mixes[player][place].p === 0n)),
  );
  return { matrix, mixes, value, against, sound, strict };
}

/** What a bid gives away against the optimal mix of the other side; at least 0. */
function cost({ against, value }, player, place) {
  const loss = minus(value, against[player][place]);
  return player === 0 ? loss : negative(loss);
}
