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

/** What the page remembers between visits, as text; a browser may refuse to keep anything. */
const remembered = {
  get(name) {
    try {
      return localStorage.getItem(`gops-exact ${name}`);
    } catch {
      return null;
    }
  },
  set(name, text) {
    try {
      localStorage.setItem(`gops-exact ${name}`, text);
    } catch {} // then it is forgotten
  },
};

const LETTERS = { 1: "A", 11: "J", 12: "Q", 13: "K" };
let lettered = remembered.get("cards") === "letters";

/** A card as the reader has chosen: a number, or A, J, Q and K as the terminal has them. */
const cardName = (card) => String((lettered && LETTERS[card]) || card);

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
  if (!onclick) return el("span", { class: name }, cardName(number));
  const attributes = { type: "button", class: name, "data-key": key, "aria-label": label };
  return el(
    "button",
    { ...attributes, "aria-pressed": pressed, disabled, onclick },
    cardName(number),
  );
}

/** Boards of more cards have smaller cells. */
const MANY = 8;

/**
 * The payoff matrix as a heat map, the optimal mixes as bars along its sides. Whatever is in it can
 * be inspected: {kind: "cell", i, j}, {kind: "bid", player, place}.
 */
function board({ hands, solved, inspected, inspect }) {
  const numbers = solved.matrix.map((row) => row.map(toNumber));
  const largest = Math.max(...numbers.flat().map(Math.abs)) || 1;
  const mixes = solved.mixes.map((mix) => mix.map(toNumber));
  const many = hands[1].length > MANY;
  // In a narrow cell a number of two digits keeps one decimal.
  const brief = (number) => decimal(number, many && Math.abs(number) >= 9.995 ? 1 : 2);
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
    const bid = cardName(hands[player][place]);
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
        "aria-label": `${cardName(hands[0][i])} against ${cardName(hands[1][j])}: ${decimal(numbers[i][j])}`,
      },
      brief(numbers[i][j]),
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
      hands[1].map((bid) => el("th", { scope: "col", class: "two" }, cardName(bid))),
    ),
  ];
  const body = hands[0].map((bid, i) =>
    el(
      "tr",
      {},
      el("td", {}, bar(0, i)),
      el("th", { scope: "row", class: "one" }, cardName(bid)),
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
    { class: many ? "board many" : "board", onkeydown: walk },
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
  to.scrollIntoView({ block: "nearest", inline: "nearest" }); // from behind the names of the rows, too
}

/** A board in a box that scrolls where the screen is narrower, and says so while there is more of it. */
function scrolling(table) {
  const box = el("div", { class: "scroll" }, table);
  const more = el("p", { class: "quiet more" });
  const tell = () => {
    const left = box.scrollLeft > 1;
    const right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
    box.classList.toggle("on", right);
    const where = [left && "to the left", right && "to the right"].filter(Boolean).join(" and ");
    more.textContent = where && `More bids ${where}: the board scrolls sideways.`;
  };
  box.addEventListener("scroll", tell);
  new ResizeObserver(tell).observe(box);
  return [box, more];
}

/** Scroll a board to what is inspected, or else to the bid that player two makes most. */
function bringIntoView() {
  const box = document.querySelector(".scroll:has(.board)");
  if (!box) return;
  const share = (bar) => Number(bar.style.getPropertyValue("--share"));
  const bars = [...box.querySelectorAll(".bar.two")];
  const likely = bars.reduce((best, bar) => (share(bar) > share(best) ? bar : best));
  const target =
    box.querySelector('[aria-pressed="true"].cell, [aria-pressed="true"].bar.two') ?? likely;
  const [seen, wanted] = [box.getBoundingClientRect(), target.getBoundingClientRect()];
  const named = box.querySelector("tbody th").getBoundingClientRect().right - seen.left;
  if (wanted.right > seen.right) box.scrollLeft += wanted.right - seen.right + wanted.width / 2;
  else if (wanted.left < seen.left + named) box.scrollLeft += wanted.left - seen.left - named - 4;
}
