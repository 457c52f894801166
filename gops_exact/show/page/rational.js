// Exact fractions over BigInt: {p, q} with q > 0, in lowest terms only where `reduced` made them so.

const whole = (n) => ({ p: BigInt(n), q: 1n });
const [ZERO, ONE] = [whole(0), whole(1)];

/** The fraction written "p/q" or "p". */
function rational(text) {
  const [p, q] = String(text).split("/");
  return { p: BigInt(p), q: BigInt(q ?? 1) };
}

function plus(a, b) {
  if (a.p === 0n) return b;
  if (b.p === 0n) return a;
  return a.q === b.q ? { p: a.p + b.p, q: a.q } : { p: a.p * b.q + b.p * a.q, q: a.q * b.q };
}

const negative = (a) => ({ p: -a.p, q: a.q });
const minus = (a, b) => plus(a, negative(b));
const times = (a, b) => ({ p: a.p * b.p, q: a.q * b.q });

/** −1, 0 or 1 as a is less than b, equal or greater. */
function compared(a, b) {
  const difference = a.p * b.q - b.p * a.q;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** The inner product of two vectors of fractions. */
function product(xs, ys) {
  return xs.reduce((sum, x, i) => (x.p && ys[i].p ? plus(sum, times(x, ys[i])) : sum), ZERO);
}

const magnitude = (n) => (n < 0n ? -n : n);

function greatestCommonDivisor(a, b) {
  while (b) [a, b] = [b, a % b];
  return a;
}

/** The same fraction in lowest terms. Some seconds for a hundred thousand digits: on demand only. */
function reduced({ p, q }) {
  const divisor = greatestCommonDivisor(magnitude(p), q);
  return divisor === 1n ? { p, q } : { p: p / divisor, q: q / divisor };
}

const bitLength = (n) => n.toString(16).length * 4;

/** The nearest number, or one of its neighbours: 64 bits of the quotient are kept. */
function toNumber({ p, q }) {
  if (p === 0n) return 0;
  const shift = 64 + bitLength(q) - bitLength(magnitude(p));
  const quotient = shift > 0 ? (p << BigInt(shift)) / q : p / (q << BigInt(-shift));
  return Number(quotient) * 2 ** -shift;
}

/**
 * Solve B u = (0, …, 0, 1) for a nonsingular square matrix of BigInt, by elimination without
 * fractions: every division by the previous pivot leaves no remainder (Bareiss 1968).
 */
function lastUnitSolution(matrix) {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, i === size - 1 ? 1n : 0n]);
  let previous = 1n;
  for (let k = 0; k < size; k++) {
    const place = rows.findIndex((row, i) => i >= k && row[k] !== 0n);
    if (place < 0) throw new Error("a basis must be nonsingular");
    [rows[k], rows[place]] = [rows[place], rows[k]];
    const pivot = rows[k][k];
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const factor = rows[i][k];
      for (let j = 0; j <= size; j++) {
        rows[i][j] = (rows[i][j] * pivot - rows[k][j] * factor) / previous;
      }
    }
    previous = pivot;
  }
  const sign = previous < 0n ? -1n : 1n;
  return rows.map((row) => ({ p: sign * row[size], q: sign * previous }));
}
