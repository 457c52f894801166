// Positions solved exactly from the values and bases that the page holds, and exact numbers shown.

/** Where an order type of k cards a side stands in a value table: PLACES[k].get(word). */
const PLACES = DATA.words.map((words) => new Map(words.map((word, place) => [word, place])));

/** A position's value table, its place there, and which way round. */
function found(game, position) {
  const { word, side } = orderType(position.hands);
  const table = game.slabs[stateName(position, side)];
  return { table, place: PLACES[position.hands[0].length].get(word), side };
}

const gameOf = ownGame;
const rulesOffered = ownRules;
const REACH = OWN_REACH;

/** Whether the page can solve a position: it is one of its game's. */
function isHeld(game, position) {
  if (!isOfGame(position)) return false;
  return decided(game.rules, position) !== null || found(game, position).table !== undefined;
}

/** The value of a position before the next prize is turned up, player one's gain from there on. */
function positionValue(game, position) {
  const outcome = decided(game.rules, position);
  if (outcome !== null) return whole(isWinning(game.rules) ? outcome : 0);
  const { table, place, side } = found(game, position);
  table.parsed ??= new Map();
  if (!table.parsed.has(place)) table.parsed.set(place, rational(table.values[place]));
  const value = table.parsed.get(place);
  return side > 0 ? value : negative(value);
}

/** What both gain at once, and what follows is worth. */
function entry(game, position, upcard, bids) {
  const now = whole(gain(game.rules, position, upcard, bids));
  return plus(now, positionValue(game, after(game.rules, position, upcard, bids)));
}

/** The payoff matrix: rows player one's bids, columns player two's; upcard null for a hidden one. */
function payoffs(game, position, upcard) {
  const prizes = upcard === null ? position.prizes : [upcard];
  const share = { p: 1n, q: BigInt(prizes.length) };
  return position.hands[0].map((row) =>
    position.hands[1].map((column) => {
      const parts = prizes.map((prize) => entry(game, position, prize, [row, column]));
      const total = parts.reduce(plus, ZERO);
      return prizes.length > 1 ? times(share, total) : total;
    }),
  );
}

const cardsOf = (mask) => [0, 1, 2, 3, 4, 5, 6, 7].filter((card) => (mask >> card) & 1);

/** The bids that are played: [rows, columns] as places in the hands. */
function basisOf(game, position, upcard) {
  const { table, place, side } = found(game, position);
  const draws = [...new Set(upcards(game.rules, position))];
  const draw = upcard === null ? 0 : draws.indexOf(upcard);
  const masks = table.bases[place].slice(2 * draw, 2 * draw + 2).map(cardsOf);
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

/**
 * Optimal play at a position and upcard: {matrix, mixes: [x, y], value, against: [Xy, xX], sound,
 * strict}. `against[0][i]` is what player one gains by bid i against the other's mix. `sound` says
 * that the page has checked the answer: probabilities, and no bid of either side does better.
 * `strict` says that every other bid does worse, so that each mix is the only optimal one.
 */
function solve(game, position, upcard) {
  const matrix = payoffs(game, position, upcard);
  const basis = basisOf(game, position, upcard);
  const isFirst = position.prizes.length === DATA.n;
  const firstMove = isFirst && game.openings[upcard ?? "hidden"];
  const mixes = firstMove
    ? [firstMove.map(rational), firstMove.map(rational)]
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

const solution = keeping(solve);

/** What a bid gives away against the optimal mix of the other side; at least 0. */
function cost({ against, value }, player, place) {
  const loss = minus(value, against[player][place]);
  return player === 0 ? loss : negative(loss);
}

const isWhole = ({ p, q }) => p % q === 0n;

/** What to say of how exact costs are. */
const offBy = () => "";

/** What to say of a bid that costs nothing; null of others. */
const nothing = ({ p }) => (p === 0n ? "It gives nothing away." : null);

/** A place drawn from a mix: exact but for the 64 bits of chance. */
function drawn(mix) {
  const chance = { p: randomBits(), q: 1n << 64n };
  let reached = ZERO;
  const place = mix.findIndex((probability) => {
    reached = plus(reached, probability);
    return compared(chance, reached) < 0;
  });
  return place;
}

const SHORT_DIGITS = 24;
const PROMPT_BITS = 20_000; // beyond, lowest terms take long enough to be asked for

/** A fraction exactly: stacked where it is short, its ends and its length where it is not. */
function inFull(fraction) {
  const holder = el("div", { class: "exactly" });
  const show = () => holder.replaceChildren(...exactParts(reduced(fraction)));
  if (bitLength(fraction.q) <= PROMPT_BITS) show();
  else {
    const label = "Work out the exact fraction";
    holder.append(el("button", { type: "button", "data-key": "exact", onclick: show }, label));
  }
  return holder;
}

function exactParts({ p, q }) {
  if (q === 1n) return []; // the number beside it says it all
  const sign = p < 0n ? "−" : "";
  const terms = [magnitude(p).toString(), q.toString()];
  const isShort = Math.max(...terms.map((term) => term.length)) <= SHORT_DIGITS;
  const [top, bottom] = terms.map((term) => el("span", {}, isShort ? term : ends(term)));
  bottom.className = "bottom";
  const label = isShort ? `${sign}${terms[0]} over ${terms[1]}` : null;
  const stack = el("span", { class: "stack", "aria-hidden": isShort ? "true" : null }, top, bottom);
  const parts = [el("span", { class: "fraction", role: "math", "aria-label": label }, sign, stack)];
  if (isShort) return parts;
  const text = `${p < 0n ? "-" : ""}${terms[0]}/${terms[1]}`;
  const area = el("textarea", { readonly: true, rows: 6, "aria-label": "all digits" });
  area.value = text;
  const copy = el("button", { type: "button", onclick: () => copyFrom(area, copy) }, "Copy");
  const lengths = terms.map((term) => term.length.toLocaleString("en"));
  const summary = el("summary", {}, `All digits: ${lengths[0]} over ${lengths[1]}`);
  return [...parts, el("details", {}, summary, area, copy)];
}

const ends = (digits) =>
  digits.length <= SHORT_DIGITS ? digits : `${digits.slice(0, 9)}…${digits.slice(-9)}`;

/** The result of the check in words. */
function finding({ strict }) {
  const alone = strict
    ? "Every bid left out is worse, so each mix is the only optimal one."
    : "Some bid left out is just as good, so other mixes may be optimal too.";
  return `Checked here, exactly: no bid of either side does better. ${alone}`;
}
