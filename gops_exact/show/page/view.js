// Elements that both ways of using the page are made of: numbers, cards, the board.

/** An element: attributes by name (`on…` a listener, false or null left out), then children. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const PLAYERS = ["Player one", "Player two"];

/** A number to some digits; what is not zero never looks like zero. */
function decimal(number, digits = 2) {
  const least = (10 ** -digits).toFixed(digits);
  if (number !== 0 && Math.abs(number) < least / 2) return number < 0 ? `>−${least}` : `<${least}`;
  const text = Number.isInteger(number) ? String(number) : number.toFixed(digits);
  return text.replace("-", "−");
}

const signed = (number, digits) => (number > 0 ? "+" : "") + decimal(number, digits);
const points = (number) => `${number} ${Math.abs(number) === 1 ? "point" : "points"}`;

/** What the values of a game count, after such a number. */
function unit(rules, number) {
  if (isWinning(rules)) return "in the chance to win less the chance to lose";
  return Math.abs(number) === 1 ? "point" : "points";
}

const alarm = (text) => el("p", { class: "alarm", role: "alert" }, text);

/** What is shown until a solution arrives, or instead of one that could not be had. */
function waiting({ failed }) {
  if (failed) return alarm(failed);
  return el("p", { class: "quiet", role: "status", "aria-busy": "true" }, "Solving …");
}

/** The result of the page's own check of a solution. */
function verdict(solved) {
  if (!solved.sound) return alarm("The check failed: this is not optimal play.");
  return el("p", { class: "verdict" }, finding(solved));
}

/** A card face as a button, or as a mark where it does nothing. */
function card(number, { key, label, pressed = null, disabled = false, big = false, onclick }) {
  const name = `card${big ? " big" : ""}`;
  if (!onclick) return el("span", { class: name }, String(number));
  const attributes = { type: "button", class: name, "data-key": key, "aria-label": label };
  return el(
    "button",
    { ...attributes, "aria-pressed": pressed, disabled, onclick },
    String(number),
  );
}

/**
 * The payoff matrix as a heat map, the optimal mixes as bars along its sides. Whatever is in it can
 * be inspected: {kind: "cell", i, j}, {kind: "bid", player, place}.
 */
function board({ hands, solved, inspected, inspect }) {
  const numbers = solved.matrix.map((row) => row.map(toNumber));
  const largest = Math.max(...numbers.flat().map(Math.abs)) || 1;
  const mixes = solved.mixes.map((mix) => mix.map(toNumber));
  const isInspected = (what) => JSON.stringify(what) === JSON.stringify(inspected);
  const spot = (what, row, column, attributes, ...children) =>
    el(
      "button",
      {
        type: "button",
        "data-key": `spot ${row} ${column}`,
        "data-row": row,
        "data-column": column,
        "aria-pressed": String(isInspected(what)),
        onclick: () => inspect(what),
        ...attributes,
      },
      ...children,
    );
  const bar = (player, place) => {
    const probability = mixes[player][place];
    const bid = hands[player][place];
    return spot(
      { kind: "bid", player, place },
      player === 0 ? place : -1,
      player === 0 ? -1 : place,
      {
        class: `bar ${player === 0 ? "one" : "two"}${probability > 0 ? " played" : ""}`,
        style: `--share: ${probability}`,
        "aria-label": `${PLAYERS[player]} bids ${bid} with probability ${decimal(probability, 4)}`,
      },
      el("span", { class: "amount" }, probability === 0 ? "·" : decimal(probability)),
    );
  };
  const cell = (i, j) =>
    spot(
      { kind: "cell", i, j },
      i,
      j,
      {
        class: `cell ${numbers[i][j] < 0 ? "two" : "one"}`,
        style: `--heat: ${Math.abs(numbers[i][j]) / largest}`,
        "aria-label": `${hands[0][i]} against ${hands[1][j]}: ${decimal(numbers[i][j])}`,
      },
      decimal(numbers[i][j]),
    );
  const head = [
    el(
      "tr",
      {},
      el("td", { colspan: 2, class: "side two" }, "Player two"),
      hands[1].map((_, j) => el("td", {}, bar(1, j))),
    ),
    el(
      "tr",
      {},
      el("td", { colspan: 2, class: "side one" }, "Player one"),
      hands[1].map((bid) => el("th", { scope: "col", class: "two" }, String(bid))),
    ),
  ];
  const body = hands[0].map((bid, i) =>
    el(
      "tr",
      {},
      el("td", {}, bar(0, i)),
      el("th", { scope: "row", class: "one" }, String(bid)),
      hands[1].map((_, j) => el("td", {}, cell(i, j))),
    ),
  );
  const caption = el(
    "caption",
    { class: "unseen" },
    "Payoffs to player one, with the optimal mixes",
  );
  const table = el(
    "table",
    { class: hands[1].length > 9 ? "board many" : "board", onkeydown: walk },
    caption,
    el("thead", {}, head),
    el("tbody", {}, body),
  );
  keepOneTabStop(table);
  return table;
}

/** A board is one stop of the Tab key; the arrow keys move within it. */
function keepOneTabStop(table) {
  const spots = [...table.querySelectorAll("[data-row]")];
  const stop = table.querySelector('[aria-pressed="true"]') ?? table.querySelector(".cell");
  spots.forEach((spot) => (spot.tabIndex = spot === stop ? 0 : -1));
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function walk(event) {
  const step = STEPS[event.key];
  const from = event.target.closest("[data-row]");
  if (!step || !from) return;
  const [row, column] = [from.dataset.row, from.dataset.column].map(
    (text, axis) => +text + step[axis],
  );
  const to = event.currentTarget.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  if (!to) return;
  event.preventDefault();
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}
