// A position set up by hand or by chance, and the one shown, to be copied.

const EDITED = [
  ["one", "Player one holds"],
  ["two", "Player two holds"],
  ["prizes", "Prizes left"],
  ["upcard", "Upcard, if one is turned up"],
  ["margin", "Margin: player one’s points less player two’s"],
  ["pot", "Pot: points carried over"],
];

/** Cards as they are written in a field: numbers or A, T, J, Q, K, between blanks or commas. */
function cardsWritten(text, field) {
  return text
    .split(/[\s,.]+/)
    .filter(Boolean)
    .map((each) => {
      const card = /^(0|[1-9][0-9]*)$/.test(each) ? Number(each) : CARDS[each.toLowerCase()];
      if (card !== undefined && String(card).length <= MOST_DIGITS) return card;
      throw new Error(`${field}: expected cards as 2 4 13 or 2 4 K, got ${each}`);
    });
}

function numberWritten(text, field) {
  if (/^[-−+]?[0-9]{1,9}$/.test(text.trim())) return Number(text.trim().replace("−", "-"));
  if (!text.trim()) return 0;
  throw new Error(`${field}: expected an integer, got ${text}`);
}

/** The address of the position that a form describes; an error that says what is wrong with it. */
function addressWritten(form) {
  const rules = rulesOffered()[form.elements.rules.value];
  const read = Object.fromEntries(
    EDITED.map(([name, label], i) => {
      const { value } = form.elements[name];
      return [name, (i < 4 ? cardsWritten : numberWritten)(value, label)];
    }),
  );
  const ascending = (cards) => [...cards].sort((a, b) => a - b);
  const { margin, pot, upcard } = read;
  if (upcard.length > 1) throw new Error(`expected one upcard, got ${upcard.join(" ")}`);
  const prizes = ascending(read.prizes);
  if (rules.prizes === "descending") prizes.reverse();
  const order = Array.isArray(rules.prizes) ? rules.prizes.slice(-read.prizes.length) : null;
  if (order && read.prizes.length && String(ascending(order)) !== String(prizes))
    throw new Error(`the last prizes of this order are ${order.join(", ")}`);
  const hands = [ascending(read.one), ascending(read.two)];
  const position = { hands, prizes: order ?? prizes, margin, pot };
  if (!prizes.length) throw new Error("expected at least one card a side");
  const wrong = contradiction(rules, position, upcard[0] ?? null);
  if (wrong) throw new Error(wrong);
  const name = nameOf(rules, position, upcard[0] ?? null);
  placeNamed(name); // of this page's game
  return `#${name}`;
}

/** A generator of numbers below 1 that a seed starts (mulberry32, T. Ettinger, 2017). */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The place that rounds by chance lead to, bids still to be made that may differ. */
function placeAtRandom(game, chance) {
  const draw = (list) => list[Math.floor(chance() * list.length)];
  for (;;) {
    const place = fresh(game);
    const rounds = DATA.n < 3 ? 0 : Math.floor(chance() * (DATA.n - 1));
    for (let round = 0; round < rounds; round++) {
      const { hands } = place.position;
      play(place, { upcard: draw(upcards(game.rules, place.position)), bids: hands.map(draw) });
    }
    if (decided(game.rules, place.position) !== null) continue;
    if (!isHidden(game.rules)) place.upcard = draw(upcards(game.rules, place.position));
    return place;
  }
}

/** The name alone of the position that a place has come to. */
const nameAt = ({ game, position, upcard }) =>
  nameOf(game.rules, position, isHidden(game.rules) ? null : upcard);

let seed = 1;

/** Fields to set up any position that the page can solve, and copies of the one shown. */
function editor(place, solved) {
  const { game, position, upcard } = place;
  const offered = rulesOffered();
  const current = Math.max(
    offered.findIndex((rules) => slug(rules) === slug(game.rules)),
    0,
  );
  const written = {
    one: position.hands[0].map(cardName).join(" "),
    two: position.hands[1].map(cardName).join(" "),
    prizes: position.prizes.map(cardName).join(" "),
    upcard: isHidden(game.rules) || upcard === null ? "" : cardName(upcard),
    margin: String(position.margin),
    pot: String(position.pot),
  };
  const field = ([name, label]) =>
    el("label", {}, label, el("input", { name, value: written[name], autocomplete: "off" }));
  const said = el("p", { class: "alarm", role: "alert" });
  const show = (event) => {
    event.preventDefault();
    try {
      said.textContent = "";
      location.hash = addressWritten(form);
    } catch ({ message }) {
      said.textContent = message;
    }
  };
  const choices = offered.map((rules, number) =>
    el("option", { value: number, selected: number === current }, rulesInWords(rules)),
  );
  const form = el(
    "form",
    { class: "editor", onsubmit: show },
    el("label", {}, "Rules", el("select", { name: "rules" }, choices)),
    EDITED.map(field),
    el("button", { class: "main", "data-key": "show" }, "Show this position"),
    said,
  );
  const chosen = el("input", { type: "number", min: 0, value: seed, "data-key": "seed" });
  const random = () => {
    const place = placeAtRandom(game, seeded(Number(chosen.value)));
    seed = Number(chosen.value) + 1;
    location.hash = `#${nameAt(place)}`;
  };
  const copies = [
    ["name", () => nameAt(place)],
    ["JSON", () => JSON.stringify(documentOf(place))],
    ["CSV", () => tableOf(place, solved)],
  ].map(([kind, text]) => copyButton(`Copy as ${kind}`, text));
  return el(
    "details",
    { class: "set-up", open: isEditing, ontoggle: (event) => (isEditing = event.target.open) },
    el("summary", { "data-key": "set up" }, "Set up a position, or copy this one"),
    el("p", {}, "This position: ", el("code", {}, nameAt(place))),
    el("p", { class: "row" }, copies),
    form,
    el(
      "p",
      { class: "row" },
      el("button", { type: "button", "data-key": "random", onclick: random }, "At random"),
      el("label", {}, "by seed", chosen),
    ),
    el("p", { class: "quiet" }, REACH),
  );
}

let isEditing = false;

/** A button that copies a text, and shows it where the clipboard is refused. */
function copyButton(label, text) {
  const copy = () => {
    const shown = el("textarea", { readonly: true, rows: 4, "aria-label": label });
    shown.value = text();
    button.parentElement.parentElement.querySelector(".copied")?.remove();
    button.parentElement.after(el("div", { class: "copied" }, shown));
    copyFrom(shown, button);
  };
  const button = el("button", { type: "button", "data-key": label, onclick: copy }, label);
  return button;
}

function copyFrom(area, button) {
  area.select();
  const done = () => (button.textContent = "Copied");
  // A page opened as a file may be refused the clipboard; the text is selected all the same.
  navigator.clipboard?.writeText(area.value).then(done, () => {});
}

/** A position as the server takes it and `position --emit json` writes it. */
function documentOf({ game: { rules }, position, upcard }) {
  const { hands, prizes, margin, pot } = position;
  const turned = isHidden(rules) || upcard === null ? {} : { upcard };
  return { one: hands[0], two: hands[1], prizes, ...turned, rules, margin, pot };
}

/** Both mixes as CSV: each bid, how often it is made, and what player one gains by it. */
function tableOf({ position }, { mixes, against }) {
  const lines = ["one", "two"].flatMap((name, player) =>
    position.hands[player].map((bid, i) =>
      [name, bid, toNumber(mixes[player][i]), toNumber(against[player][i])].join(","),
    ),
  );
  return ["player,bid,probability,gain_of_one", ...lines, ""].join("\n");
}
