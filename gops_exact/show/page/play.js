// Playing against the optimum or another player, and the review of the bids afterwards.

let match = null;

/** The lowest card that is not below one, or else the lowest of all. */
const atLeast = (hand, wanted) => hand.find((card) => card >= wanted) ?? hand[0];

const picked = (list) => list[randomBits() % BigInt(list.length)];

const byMix = ({ hand, solved }) => hand[drawn(solved.mixes[1])];
const byChance = ({ hand }) => picked(hand);

/** The upcard plus so much, from the lowest card on again beyond the highest (players/simple.py). */
const upcardPlus =
  (more) =>
  ({ hand, upcard }) => {
    const rank = DATA.deck ? deck.indexOf(upcard) + 1 : upcard;
    return atLeast(hand, ((rank + more - 1) % DATA.n) + 1);
  };

/** Opponents: what they are called, and the card they bid, which is no secret of the upcard's. */
const OPPONENTS = {
  optimal: { label: "the optimum", bid: byMix },
  "half optimal": {
    label: "the optimum every other time, else chance",
    bid: (seen) => (randomBits() & 1n ? byMix(seen) : byChance(seen)),
  },
  random: { label: "chance: every card is as likely", bid: byChance },
  matching: { label: "matching: the prize’s own card", bid: upcardPlus(0), sees: true },
  "upcard+1": { label: "the prize and 1 more", bid: upcardPlus(1), sees: true },
  "upcard+2": { label: "the prize and 2 more", bid: upcardPlus(2), sees: true },
  "upcard+3": { label: "the prize and 3 more", bid: upcardPlus(3), sees: true },
  highest: { label: "always the highest card", bid: ({ hand }) => hand.at(-1) },
  lowest: { label: "always the lowest card", bid: ({ hand }) => hand[0] },
};

let chosenOpponent = remembered.get("opponent");

/** Whether an opponent plays a game: some have to see the prize. */
const plays = ({ sees }, { game }) => !(sees && isHidden(game.rules));

/** The name of the opponent chosen; the optimum where another cannot play. */
function opponent() {
  const chosen = OPPONENTS[chosenOpponent];
  return chosen && plays(chosen, match) ? chosenOpponent : "optimal";
}

/** How a sentence names the opponent. */
const other = () => (opponent() === "optimal" ? "the optimum" : "the opponent");
const Other = () => other().replace("t", "T");

function opponentPicker() {
  const options = Object.entries(OPPONENTS).map(([name, each]) =>
    el(
      "option",
      { value: name, selected: name === opponent(), disabled: !plays(each, match) },
      each.label,
    ),
  );
  const choose = (event) => {
    chosenOpponent = event.target.value;
    remembered.set("opponent", chosenOpponent);
    render();
  };
  const select = el("select", { "data-key": "opponent", onchange: choose }, options);
  return el("label", { class: "row" }, "Against ", select);
}

/** A game against the opponent, who is player two, from a place on. */
function newMatch(place) {
  match = {
    ...place,
    moves: [],
    hints: match?.hints ?? false,
    opened: null, // in the review, the round whose cost is shown in full
    sorted: false, // the review by cost, the highest first
  };
  turnUp(match);
  keepMatch();
}

const matchAddress = () => address(match).replace("#", "#play/");

/** Put the game in play into the address, and remember it: a reload or a later visit goes on with it. */
function keepMatch() {
  try {
    history.replaceState(null, "", matchAddress());
  } catch {} // a page within a notebook has no address of its own
  match.openedBy = location.hash;
  remembered.set(`game of ${DATA.n}`, matchAddress());
}

/** The address that goes on with the game in play, or with the one left off; else of a new one. */
function playAddress(game) {
  const kept = match ? matchAddress() : (remembered.get(`game of ${DATA.n}`) ?? "");
  try {
    if (placeNamed(kept.replace(/^#play\//, "")).game === game && kept) return kept;
  } catch {} // of another page
  return `#play/${nameOf(game.rules, start(game.rules))}`;
}

/** A random integer of 64 bits. */
function randomBits() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Turn up a prize, unless one is, or bids are made before it is seen. */
function turnUp(place) {
  const choices = upcards(place.game.rules, place.position);
  if (choices.length && !isHidden(place.game.rules)) place.upcard ??= picked(choices);
}

/** Bid a card; the opponent bids at the same time. */
function answer(mine) {
  const { game, position } = match;
  if (!position.hands[0].includes(mine)) return;
  if (decided(game.rules, position) !== null) return;
  const solved = solution(game, position, match.upcard);
  if (!solved.matrix) return;
  const theirs = OPPONENTS[opponent()].bid({ hand: position.hands[1], upcard: match.upcard, solved });
  const upcard = match.upcard ?? picked(position.prizes);
  play(match, { upcard, bids: [mine, theirs] });
  turnUp(match);
  keepMatch();
  render();
  const [last, ...others] = match.position.hands[0];
  if (decided(game.rules, match.position) === null && others.length === 0) answer(last);
}

/** The rounds played, each with what the bid cost; no cost where a solution has not come yet. */
function movesOf({ game, from, rounds }) {
  const place = fresh(game, from);
  return rounds.map(({ upcard, bids }) => {
    const { position } = place;
    const solved = solution(game, position, isHidden(game.rules) ? null : upcard);
    const spot = position.hands[0].indexOf(bids[0]);
    const move = {
      link: address({ ...place, rounds: [...place.rounds], upcard }),
      upcard,
      stake: upcard + position.pot,
      bids,
      probability: solved.mixes?.[0][spot],
      best: solved.mixes && likeliest(position.hands[0], solved.mixes[0]),
      cost: solved.matrix && cost(solved, 0, spot),
      solved,
    };
    play(place, { upcard, bids });
    return move;
  });
}

/** The card that a mixed strategy bids most often. */
function likeliest(hand, mix) {
  const chances = mix.map(toNumber);
  return hand[chances.indexOf(Math.max(...chances))];
}

function playView(place) {
  const { rules } = place.game;
  const isSame =
    match?.game === place.game && nameOf(rules, match.from) === nameOf(rules, place.from);
  const isNamed = place.rounds.length > 0 || (place.upcard !== null && !isFixed(rules));
  if (!isSame || (isNamed && location.hash !== match.openedBy)) newMatch(place);
  match.moves = movesOf(match);
  keepMatch();
  const { game, position, moves, upcard } = match;
  const isOver = decided(game.rules, position) !== null;
  return [
    standing(isOver),
    moves.length && !isOver ? lastRound(moves.at(-1)) : null,
    isOver ? review() : table(position, upcard),
    transcript(),
  ];
}

function standing(isOver) {
  const { score, position } = match;
  const pot = position.pot && !isOver ? ` · ${points(position.pot)} carried over` : "";
  return el(
    "section",
    { class: "progress" },
    el(
      "p",
      { class: "score" },
      "You ",
      el("b", { class: "one" }, String(score[0])),
      " : ",
      el("b", { class: "two" }, String(score[1])),
      ` ${other()}${pot}`,
    ),
    opponentPicker(),
    el(
      "button",
      {
        type: "button",
        "data-key": "again",
        onclick: () => (newMatch(fresh(match.game, match.from)), render()),
      },
      "New game",
    ),
  );
}

function outcomeOf({ bids, stake }) {
  if (bids[0] === bids[1])
    return match.game.rules.ties === "discard" ? "a tie, nobody’s" : "a tie, carried over";
  return bids[0] > bids[1] ? `you take ${stake}` : `${other()} takes ${stake}`;
}

function lastRound(move) {
  const [prize, mine, theirs] = [move.upcard, ...move.bids].map(cardName);
  const text = `For ${prize} you bid ${mine}, ${other()} ${theirs}: ${outcomeOf(move)}.`;
  return el("p", { class: "news", role: "status" }, text);
}

/** The prize and both hands. */
function table(position, upcard) {
  const { rules } = match.game;
  const solved = solution(match.game, position, upcard);
  const hand = position.hands[0].map((each) =>
    card(each, {
      key: `mine ${each}`,
      label: `Bid ${cardName(each)}`,
      disabled: !solved.matrix,
      onclick: () => answer(each),
    }),
  );
  const theirs = position.hands[1].map((each) => card(each, {}));
  const prize = isHidden(rules)
    ? [
        el("h2", {}, "The prize is hidden"),
        el("span", { class: "card big back", role: "img", "aria-label": "face down" }),
      ]
    : [
        el(
          "h2",
          {},
          position.pot ? `The prize, with ${points(position.pot)} carried over` : "The prize",
        ),
        card(upcard, { big: true }),
      ];
  const left = isHidden(rules) ? position.prizes : without(position.prizes, upcard);
  return el(
    "section",
    { class: "table" },
    el("div", { class: "prize" }, prize),
    el(
      "p",
      { class: "quiet" },
      left.length ? `Still to come: ${left.map(cardName).join(", ")}` : "The last prize",
    ),
    el("h2", {}, `${Other()} holds`),
    el("div", { class: "hand two small" }, theirs),
    el("h2", { id: "your-hand" }, "Your bid"),
    el("div", { class: "hand one", role: "group", "aria-labelledby": "your-hand" }, hand),
    el(
      "p",
      { class: "quiet" },
      `Click a card or press its number. ${Other()} bids at the same time.`,
    ),
    solved.matrix ? hint(solved) : waiting(solved),
  );
}

/** Optimal play at the position, on demand. */
function hint({ mixes, value }) {
  const toggle = () => {
    match.hints = !match.hints;
    render();
  };
  const attributes = { type: "button", "data-key": "hint", "aria-expanded": String(match.hints) };
  const bids = match.position.hands[0].flatMap((bid, place) => {
    const share = toNumber(mixes[0][place]);
    return share > 0 ? [`${cardName(bid)} (${decimal(share, 3)})`] : [];
  });
  const worth = `${signed(toNumber(value), 3)} ${unit(match.game.rules, toNumber(value))}`;
  const text = `Optimal play bids ${bids.join(", ")}, and gains ${worth} from here on.`;
  return el(
    "div",
    { class: "hint" },
    el("button", { ...attributes, onclick: toggle }, match.hints ? "Hide hints" : "Hints"),
    match.hints ? el("p", { role: "status" }, text) : null,
  );
}

/** Every bid with what it gave away, and the sum. */
function review() {
  const { moves, score, game } = match;
  const missing = moves.find((move) => !move.cost);
  if (missing) return waiting(missing.solved);
  const total = moves.reduce((all, move) => plus(all, move.cost), ZERO);
  const ahead = Math.sign(score[0] - score[1]);
  const heading = [`${Other()} wins`, "A draw", "You win"][ahead + 1];
  const order = moves.map((move, count) => [move, count]);
  if (match.sorted) order.sort(([a], [b]) => toNumber(b.cost) - toNumber(a.cost));
  const most = Math.max(...moves.map((move) => toNumber(move.cost)));
  const isWorst = (move) => most > 0 && toNumber(move.cost) === most;
  const rows = order.flatMap(([move, count]) => [
    el(
      "tr",
      { class: isWorst(move) ? "worst" : null, title: isWorst(move) ? "The costliest bid" : null },
      el(
        "td",
        {},
        el("a", { href: move.link, "aria-label": `Explore round ${count + 1}` }, String(count + 1)),
      ),
      el("td", {}, cardName(move.upcard)),
      el("td", { class: "one" }, cardName(move.bids[0])),
      el("td", { class: "two" }, cardName(move.bids[1])),
      el("td", {}, decimal(toNumber(move.probability), 3)),
      el("td", {}, cardName(move.best)),
      el("td", {}, costButton(move, count)),
    ),
    match.opened === count
      ? el("tr", {}, el("td", { colspan: 7, class: "opened" }, inFull(move.cost)))
      : null,
  ]);
  const heads = ["Round", "Prize", "You", "Other", "Share", "Best", sortButton()];
  return el(
    "section",
    { class: "review" },
    el("h2", {}, `${heading}, ${Math.max(...score)} to ${Math.min(...score)}`),
    match.position.prizes.length ? el("p", { role: "status" }, DECIDED) : null,
    el(
      "p",
      {},
      "Luck apart, your bids gave away ",
      el("b", {}, decimal(toNumber(total), 4)),
      ` ${unit(game.rules, toNumber(total))} against optimal play.`,
      offBy(moves.map((move) => move.cost)),
    ),
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        { class: "moves" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            heads.map((head, i) =>
              el(
                "th",
                { scope: "col", "aria-sort": match.sorted && i === 6 ? "descending" : null },
                head,
              ),
            ),
          ),
        ),
        el("tbody", {}, rows),
      ),
    ),
    el(
      "p",
      { class: "quiet" },
      "Share: how often optimal play makes your bid there; best: the bid that it makes most often. The costliest bid is marked. A round’s number opens it in the explorer; a cost opens in full.",
    ),
  );
}

/** The head of the costs, which puts the rounds in their order, or the costliest first. */
function sortButton() {
  const toggle = () => {
    match.sorted = !match.sorted;
    render();
  };
  const title = match.sorted ? "Put the rounds in their order" : "Put the costliest first";
  const attributes = { type: "button", class: "link", "data-key": "sort", title };
  return el("button", { ...attributes, onclick: toggle }, match.sorted ? "Cost ↓" : "Cost");
}

/** A cost, which is shown in full below where a decimal does not write it. */
function costButton({ cost }, count) {
  const number = decimal(toNumber(cost), 4);
  if (isWhole(cost)) return number;
  const isOpen = match.opened === count;
  const toggle = () => {
    match.opened = isOpen ? null : count;
    render();
  };
  const attributes = { type: "button", class: "link", "aria-expanded": String(isOpen) };
  return el("button", { ...attributes, "data-key": `cost ${count}`, onclick: toggle }, number);
}

/** The address of a game of the same start, from its rounds: prize, your bid and the other's in each line. */
function addressOfTranscript(text) {
  const rounds = text
    .split("\n")
    .filter((line) => line.trim())
    .map((line, count) => {
      const cards = cardsWritten(line.replace(/[:|–-]/g, " "), `Line ${count + 1}`);
      if (cards.length === 3) return { upcard: cards[0], bids: cards.slice(1) };
      throw new Error(`Line ${count + 1}: expected a prize and two bids, got ${line}`);
    });
  const link = address({ game: match.game, from: match.from, rounds, upcard: null });
  placeNamed(link.slice(1)); // rounds that can be
  return link.replace("#", "#play/");
}

/** A field for a game played elsewhere, to be reviewed, or gone on with where it is not over. */
function transcript() {
  const lines = match.rounds.map(({ upcard, bids }) => [upcard, ...bids].map(cardName).join(" "));
  const area = el("textarea", { rows: 5, "aria-label": "Rounds", "data-key": "transcript" });
  area.value = lines.join("\n");
  const said = el("p", { class: "alarm", role: "alert" });
  const read = () => {
    try {
      said.textContent = "";
      location.hash = addressOfTranscript(area.value);
    } catch ({ message }) {
      said.textContent = message;
    }
  };
  return el(
    "details",
    { class: "set-up transcript" },
    el("summary", {}, "Review a game played elsewhere"),
    el("p", { class: "quiet" }, "A round a line: the prize, your bid, the other’s."),
    area,
    el("p", {}, el("button", { type: "button", "data-key": "read", onclick: read }, "Review")),
    said,
  );
}
