// Positions solved here, from values that the page holds as 32-bit floats: {words, names, bound, values}
// for each number of cards, a line for each word and a column for each name.

/** More than a 32-bit float is rounded by, as a share of it. */
const SINGLE = 2 ** -23;

/** The layer of so many cards, unpacked when it is first needed. */
function layerOf(game, size) {
  const layer = game.layers[size - 1];
  if (layer.lines) return layer;
  const index = (texts) => new Map(texts.map((text, place) => [text, place]));
  layer.lines = index(layer.words);
  layer.columns = index(layer.names);
  const bytes = Uint8Array.from(atob(layer.values), (letter) => letter.charCodeAt(0));
  layer.values = new DataView(bytes.buffer);
  return layer;
}

const gameOf = ownGame;
const rulesOffered = ownRules;
const REACH = OWN_REACH;

/** Whether the page can solve a position: it is one of its game's. */
function isHeld(game, position) {
  const { hands, prizes } = position;
  if (!isOfGame(position)) return false;
  const first = start(game.rules);
  if (prizes.length === DATA.n) return nameOf(game.rules, position) === nameOf(game.rules, first);
  if (decided(game.rules, position) !== null) return true;
  const { columns } = layerOf(game, prizes.length);
  return columns.has(stateName(position, orderType(hands).side));
}

/** The value of a position before the next prize is turned up, player one's gain from there on. */
function positionValue(game, position) {
  const outcome = decided(game.rules, position);
  if (outcome !== null) return whole(isWinning(game.rules) ? outcome : 0);
  const { lines, columns, bound, values } = layerOf(game, position.hands[0].length);
  const { word, side } = orderType(position.hands);
  const line = lines.get(word);
  if (line === undefined) return ZERO; // equal hands: a fair game for points
  const column = columns.get(stateName(position, side));
  const value = values.getFloat32(4 * (line * columns.size + column), true);
  return { middle: side * value, radius: bound + SINGLE * Math.abs(value) };
}

/** The payoff matrix: rows player one's bids, columns player two's; upcard null for a hidden one. */
function payoffs(game, position, upcard) {
  const prizes = upcard === null ? position.prizes : [upcard];
  const even = prizes.map(() => whole(1));
  const entry = (prize, bids) =>
    plus(
      whole(gain(game.rules, position, prize, bids)),
      positionValue(game, after(game.rules, position, prize, bids)),
    );
  return position.hands[0].map((row) =>
    position.hands[1].map((column) => {
      const entries = prizes.map((prize) => entry(prize, [row, column]));
      return prizes.length > 1 ? expectation(entries, even) : entries[0];
    }),
  );
}

/** A pivot is larger, and a bid that enters the basis gains more. */
const LEAST = 1e-9;

/** Rounding may let it go round in circles: the mixes are then checked all the same. */
const MOST_STEPS = 1000;

/**
 * Optimal mixes of a game in floats. With payoffs made positive, player two maximises Σ y under A y ≤ 1
 * and player one's mix is the dual solution: the simplex method with Bland's rule, which ends (1977).
 */
function optimum(payoff) {
  const [m, n] = [payoff.length, payoff[0].length];
  const numbers = payoff.flat();
  const shift = 1 - Math.min(...numbers);
  const scale = Math.max(...numbers) + shift;
  const unit = (i) => Array.from({ length: m }, (_, at) => Number(at === i));
  const rows = payoff.map((row, i) => [...row.map((x) => (x + shift) / scale), ...unit(i), 1]);
  rows.push([...Array(n).fill(-1), ...Array(m + 1).fill(0)]);
  const objective = rows[m];
  const basis = rows.slice(0, m).map((_, i) => n + i);
  for (let step = 0; step < MOST_STEPS; step++) {
    const enters = objective.slice(0, n + m).findIndex((x) => x < -LEAST);
    if (enters < 0) break;
    let leaves = -1;
    for (let i = 0; i < m; i++) {
      if (rows[i][enters] <= LEAST) continue;
      const ratio = rows[i][n + m] / rows[i][enters];
      const least = leaves < 0 ? Infinity : rows[leaves][n + m] / rows[leaves][enters];
      if (ratio < least || (ratio === least && basis[i] < basis[leaves])) leaves = i;
    }
    basis[leaves] = enters;
    const pivot = rows[leaves][enters];
    rows[leaves] = rows[leaves].map((x) => x / pivot);
    rows.forEach((row, i) => {
      const factor = row[enters];
      if (i === leaves || factor === 0) return;
      row.forEach((_, j) => (row[j] -= factor * rows[leaves][j]));
    });
  }
  const column = Array(n).fill(0);
  basis.forEach((bid, i) => {
    if (bid < n) column[bid] = rows[i][n + m];
  });
  return [objective.slice(n, n + m), column].map((mix) => {
    const shares = mix.map((share) => Math.max(share, 0));
    return shares.map((share) => share / sum(shares));
  });
}

/** Optimal play at a position and upcard; the value is between what the two mixes secure. */
function solve(game, position, upcard) {
  const matrix = payoffs(game, position, upcard);
  const mixes = optimum(matrix.map((row) => row.map(toNumber))).map((mix) => mix.map(whole));
  const columns = matrix[0].map((_, j) => matrix.map((row) => row[j]));
  const least = columns.map((column) => expectation(column, mixes[0]));
  const most = matrix.map((row) => expectation(row, mixes[1]));
  const low = Math.min(...least.map(({ middle, radius }) => middle - radius));
  const high = Math.max(...most.map(({ middle, radius }) => middle + radius));
  const radius = ((high - low) / 2) * (1 + ROUNDED) + ROUNDED * Math.max(high, -low);
  const value = { middle: (low + high) / 2, radius };
  return checked({ matrix, mixes, value, unique: false, proved: false });
}

const solution = keeping(solve);
