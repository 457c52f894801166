// Floats within proved bounds: {middle, radius}; the true number is no further off than the radius.

const whole = (n) => ({ middle: n, radius: 0 });
const ZERO = whole(0);
const toNumber = ({ middle }) => middle;

/** More than any sum of a hand's terms is rounded by, as a share of the sum of their magnitudes. */
const ROUNDED = 2 ** -46;

function plus(a, b) {
  const rounded = ROUNDED * (Math.abs(a.middle) + Math.abs(b.middle));
  const radius = a.radius + b.radius + (a.middle && b.middle ? rounded : 0);
  return { middle: a.middle + b.middle, radius };
}

const negative = ({ middle, radius }) => ({ middle: -middle, radius });
const minus = (a, b) => plus(a, negative(b));

/** A place drawn from a mix. */
function drawn(mix) {
  const chance = Number(randomBits() >> 11n) * 2 ** -53 * sum(mix.map(toNumber));
  let reached = 0;
  const place = mix.findIndex(({ middle }) => (reached += middle) > chance);
  return place < 0 ? mix.findLastIndex(({ middle }) => middle > 0) : place;
}

/** The expectation of a line of payoffs against a mix, which is taken as the numbers it is. */
function expectation(line, mix) {
  const shares = mix.map(toNumber);
  const total = sum(shares);
  const magnitudes = line.map(({ middle }, i) => Math.abs(middle) * shares[i]);
  const radii = line.map(({ radius }, i) => radius * shares[i]);
  return {
    middle: sum(line.map(({ middle }, i) => middle * shares[i])) / total,
    radius: ((sum(radii) + ROUNDED * sum(magnitudes)) / total) * (1 + ROUNDED),
  };
}

/**
 * A solution as the page shows it, from {matrix, mixes, value, unique, proved}. `against[0][i]` is what
 * player one gains by bid i against the other's mix; `gap` is more than any bid can gain over the value.
 * `sound` says that the page has checked that.
 */
function checked({ matrix, mixes, value, unique, proved }) {
  const columns = matrix[0].map((_, j) => matrix.map((row) => row[j]));
  const against = [
    matrix.map((row) => expectation(row, mixes[1])),
    columns.map((column) => expectation(column, mixes[0])),
  ];
  const better = [
    ...against[0].map((payoff) => minus(payoff, value)),
    ...against[1].map((payoff) => minus(value, payoff)),
  ];
  const gap = Math.max(0, ...better.map(({ middle, radius }) => middle + radius));
  const isMix = (mix) => mix.every(({ middle }) => middle >= 0) && sum(mix.map(toNumber)) > 0;
  const sound = mixes.every(isMix) && better.every(({ middle, radius }) => middle <= radius);
  return { matrix, mixes, value, against, gap, sound, unique, proved };
}

/** What a bid gives away against the mix of the other side, which may be optimal within bounds only. */
function cost({ against, value }, player, place) {
  const loss = minus(value, against[player][place]);
  const { middle, radius } = player === 0 ? loss : negative(loss);
  const isNothing = Math.abs(middle) <= radius;
  return isNothing ? { middle: 0, radius: radius + Math.abs(middle) } : { middle, radius };
}

const isWhole = ({ radius }) => radius === 0;

/** A bound with two digits, rounded up. */
const bound = (radius) =>
  radius === 0 ? "0" : (radius * 1.06).toExponential(1).replace("e-", "e−");

/** What to say of how exact costs are. */
const offBy = (costs) =>
  ` No cost is off by more than ${bound(Math.max(...costs.map(({ radius }) => radius)))}.`;

/** What to say of a bid that may cost nothing; null of others. */
const nothing = ({ middle, radius }) =>
  middle > radius ? null : `It gives away no more than ${bound(middle + radius)}, if anything.`;

/** A number with all its digits, and how far off they may be; they are those of the nearest float. */
function inFull({ middle, radius }) {
  const isShown = radius === 0 && Number.isInteger(16 * middle); // in the four decimals above
  const off = radius + 2 ** -53 * Math.abs(middle);
  const text = isShown ? "This is exact." : `${middle} within ${bound(off)}`;
  return el("p", { class: "quiet in-full" }, text.replace(/^-/, "−"));
}

/** The result of the check in words. */
function finding({ gap, unique, proved }) {
  const alone = unique
    ? "Each mix is proved to be the only optimal one."
    : proved
      ? "Other mixes may be optimal too."
      : "Other mixes may be just as good.";
  return `Checked here: no bid of either side does better by more than ${bound(gap)}. ${alone}`;
}

/** Floats are not worked out by hand. */
const workedSolution = () => null;
