// Drills: positions that games by chance lead to, one bid asked for in each, scored by what it gives away.

let drill = { place: null, bid: null };
let level = Number(remembered.get("level")); // how many cards a side; 0 for any number
const tally = { count: 0, cost: 0, best: 0 };

/** The address of drills in a game, which leads to a position by chance. */
const drillAddress = ({ rules }) => `#drill/${slug((ownGame(rules) ?? DATA.games[0]).rules)}`;

/** The address of a drill at a position by chance. */
function addressByChance(game) {
  const chance = () => Number(randomBits() >> 11n) * 2 ** -53;
  for (;;) {
    const place = placeAtRandom(game, chance);
    const isWanted = place.position.hands[0].length === level;
    if (isWanted || !LEVELS.includes(level)) return `#drill/${nameAt(place)}`;
  }
}

const LEVELS = Array.from({ length: Math.max(DATA.n - 1, 0) }, (_, i) => i + 2);

/** A choice of how many cards each side has left in drills. */
function levelPicker(another) {
  const option = (value, text) => el("option", { value, selected: value === level }, text);
  const choose = (event) => {
    level = Number(event.target.value);
    remembered.set("level", level);
    another();
  };
  const options = [option(0, "any level"), ...LEVELS.map((each) => option(each, `${each} cards a side`))];
  const select = el("select", { "data-key": "level", onchange: choose }, options);
  return el("p", {}, el("label", { class: "row" }, "Level ", select));
}

/** The position that the address names, or one by chance where it names a game alone. */
function drillView(place) {
  const { game, position } = place;
  if (["#drill", "#drill/", drillAddress(game)].includes(location.hash)) {
    location.replace(addressByChance(game)); // without a step to go back to
    return [];
  }
  if (decided(game.rules, position) !== null) return [ending(place)];
  if (!isHidden(game.rules)) place.upcard ??= position.prizes.at(-1);
  if (!drill.place || nameAt(drill.place) !== nameAt(place)) drill = { place, bid: null };
  const solved = solution(game, position, isHidden(game.rules) ? null : place.upcard);
  const another = () => {
    const address = addressByChance(game);
    drill = { place: null, bid: null };
    if (address === location.hash) render(); // the same one again, by chance
    else location.hash = address;
  };
  const next = el(
    "button",
    { type: "button", class: "main", "data-key": "next", onclick: another },
    drill.bid === null ? "Another position" : "Next position",
  );
  return [
    tallied(game.rules),
    levelPicker(another),
    drillTable(place, solved),
    solved.matrix ? null : waiting(solved),
    drill.bid === null || !solved.matrix ? null : verdictOn(place, solved),
    el("p", {}, next),
  ];
}

function tallied(rules) {
  const { count, cost: total, best } = tally;
  const mean = total / (count || 1);
  const said = `${count} asked, ${best} without a loss; given away on average: ${decimal(mean, 4)}`;
  const text = count ? `${said} ${unit(rules, mean)}` : "What would you bid here?";
  return el("p", { class: "news", role: "status" }, text);
}

/** The prize, both hands and what is still to come. */
function drillTable(place, solved) {
  const { game, position, upcard, score } = place;
  const hidden = isHidden(game.rules);
  const left = (hidden ? position.prizes : without(position.prizes, upcard)).map(cardName);
  const hand = position.hands[0].map((each) =>
    card(each, {
      key: `mine ${each}`,
      label: `Bid ${cardName(each)}`,
      pressed: drill.bid === null ? null : String(drill.bid === each),
      disabled: !solved.matrix || drill.bid !== null,
      onclick: () => bidInDrill(each),
    }),
  );
  const standing = isWinning(game.rules) ? `You have ${score[0]}, the other ${score[1]}. ` : "";
  const pot = position.pot ? `${points(position.pot)} carried over. ` : "";
  return el(
    "section",
    { class: "table" },
    el("h2", {}, hidden ? "The prize is hidden" : "The prize"),
    el("div", { class: "prize" }, hidden ? null : card(upcard, { big: true })),
    el(
      "p",
      { class: "quiet" },
      `${standing}${pot}${left.length ? `Still to come: ${left.join(", ")}` : "The last prize"}`,
    ),
    el("h2", {}, "The other holds"),
    el(
      "div",
      { class: "hand two small" },
      position.hands[1].map((each) => card(each, {})),
    ),
    el("h2", { id: "your-hand" }, "Your bid"),
    el("div", { class: "hand one", role: "group", "aria-labelledby": "your-hand" }, hand),
  );
}

/** Bid in a drill: once at each position. */
function bidInDrill(mine) {
  if (!drill.place || drill.bid !== null) return;
  const { game, position, upcard } = drill.place;
  const solved = solution(game, position, isHidden(game.rules) ? null : upcard);
  const spot = position.hands[0].indexOf(mine);
  if (spot < 0 || !solved.matrix) return;
  drill.bid = mine;
  const loss = cost(solved, 0, spot);
  tally.count += 1;
  tally.cost += Math.max(toNumber(loss), 0);
  tally.best += Number(nothing(loss) !== null);
  render();
}

/** What the bid gave away, and every bid with its cost, the least first. */
function verdictOn(place, solved) {
  const { game, position } = place;
  const spot = position.hands[0].indexOf(drill.bid);
  const loss = cost(solved, 0, spot);
  const bids = position.hands[0]
    .map((bid, i) => ({ bid, share: solved.mixes[0][i], cost: cost(solved, 0, i) }))
    .sort((a, b) => toNumber(a.cost) - toNumber(b.cost));
  const said =
    nothing(loss) ??
    `It gives away ${decimal(toNumber(loss), 4)} ${unit(game.rules, toNumber(loss))}.`;
  const rows = bids.map(({ bid, share, cost }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: "one" }, cardName(bid)),
      el("td", {}, decimal(toNumber(share), 3)),
      el("td", {}, decimal(toNumber(cost), 4)),
    ),
  );
  const heads = ["Bid", "Share", "Cost"].map((head) => el("th", { scope: "col" }, head));
  return el(
    "section",
    { class: "drilled" },
    el("h2", {}, `You bid ${cardName(drill.bid)}`),
    el("p", { role: "status" }, said),
    el(
      "div",
      { class: "scroll" },
      el("table", { class: "moves" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows)),
    ),
    el("p", {}, el("a", { href: `#${nameAt(place)}` }, "Explore this position")),
  );
}
