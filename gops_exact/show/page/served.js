// Positions solved by the server that the page came from.

const solved = new Map();

const otherGames = new Map();

/** The game by some rules; the server answers by any. */
function gameOf(rules) {
  const name = slug(rules);
  if (!otherGames.has(name)) otherGames.set(name, { rules });
  return ownGame(rules) ?? otherGames.get(name);
}

/** The page's rules, and every other set. */
function rulesOffered() {
  const every = ["points", "win"].flatMap((objective) =>
    ["discard", "carryover"].flatMap((ties) =>
      Object.keys(ORDER_LETTERS).map((prizes) => ({ objective, ties, prizes })),
    ),
  );
  return [...ownRules(), ...every.filter((rules) => !ownGame(rules))];
}

const REACH = "Any cards, up to those that the server can solve.";

/** The server says itself of a position that it cannot solve. */
const isHeld = () => true;

/** Optimal play at a position and upcard; {} until it has come, {failed} if it cannot be had. */
function solution(game, position, upcard) {
  const key = gameName(game, position, upcard);
  if (!solved.has(key)) {
    solved.set(key, {});
    ask(game, position, upcard)
      .then(checked)
      .catch(({ message }) => ({ failed: message }))
      .then((answer) => {
        solved.set(key, answer);
        render();
        if (answer.failed) solved.delete(key); // to be asked for again
      });
  }
  return solved.get(key);
}

async function ask({ rules }, position, upcard) {
  const response = await fetch(`solve/${nameOf(rules, position, upcard)}`);
  if (!response.ok) throw new Error(await response.text());
  const [found] = (await response.json()).columns;
  const [one, two] = position.hands;
  const number = (middle, radius) => ({ middle, radius });
  const mix = ({ probabilities, radii }, hand) =>
    hand.map((card) => number(probabilities[card], radii[card]));
  return {
    matrix: found.payoffs.map((row, i) => row.map((x, j) => number(x, found.payoff_radii[i][j]))),
    mixes: [mix(found.one, one), mix(found.two, two)],
    value: number(found.value, found.radius),
    unique: found.one.unique && found.two.unique,
    proved: found.one.proved && found.two.proved,
  };
}
