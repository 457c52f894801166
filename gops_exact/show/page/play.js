// Playing against the optimum, and the review of the bids afterwards.

let match = null;

/** A game against the optimum, which is player two, from a place on. */
function newMatch(place) {
  match = {
    ...place,
    moves: [],
    hints: match?.hints ?? false,
    opened: null, // in the review, the round whose cost is shown in full
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

const drawUpcard = (choices) => choices[randomBits() % BigInt(choices.length)];

/** Turn up a prize, unless one is, or bids are made before it is seen. */
function turnUp(place) {
  const choices = upcards(place.game.rules, place.position);
  if (choices.length && !isHidden(place.game.rules)) place.upcard ??= drawUpcard(choices);
}

/** Bid a card; the optimum bids at the same time. */
function answer(mine) {
  const { game, position } = match;
  if (!position.hands[0].includes(mine) || decided(game.rules, position) !== null) return;
  const solved = solution(game, position, match.upcard);
  if (!solved.matrix) return;
  const theirs = position.hands[1][drawn(solved.mixes[1])];
  const upcard = match.upcard ?? drawUpcard(position.prizes);
  play(match, { upcard, bids: [mine, theirs] });
  turnUp(match);
  keepMatch();
  render();
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
      cost: solved.matrix && cost(solved, 0, spot),
      solved,
    };
    play(place, { upcard, bids });
    return move;
  });
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
      ` the optimum${pot}`,
    ),
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
  return bids[0] > bids[1] ? `you take ${stake}` : `the optimum takes ${stake}`;
}

function lastRound(move) {
  const [prize, mine, theirs] = [move.upcard, ...move.bids].map(cardName);
  const text = `For ${prize} you bid ${mine}, the optimum ${theirs}: ${outcomeOf(move)}.`;
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
  const left = position.prizes.filter((each) => isHidden(rules) || each !== upcard);
  return el(
    "section",
    { class: "table" },
    el("div", { class: "prize" }, prize),
    el(
      "p",
      { class: "quiet" },
      left.length ? `Still to come: ${left.map(cardName).join(", ")}` : "The last prize",
    ),
    el("h2", {}, "The optimum holds"),
    el("div", { class: "hand two small" }, theirs),
    el("h2", { id: "your-hand" }, "Your bid"),
    el("div", { class: "hand one", role: "group", "aria-labelledby": "your-hand" }, hand),
    el(
      "p",
      { class: "quiet" },
      "Click a card or press its number. The optimum bids at the same time, by its mix.",
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
  const heading = ["The optimum wins", "A draw", "You win"][ahead + 1];
  const rows = moves.flatMap((move, count) => [
    el(
      "tr",
      {},
      el(
        "td",
        {},
        el("a", { href: move.link, "aria-label": `Explore round ${count + 1}` }, String(count + 1)),
      ),
      el("td", {}, cardName(move.upcard)),
      el("td", { class: "one" }, cardName(move.bids[0])),
      el("td", { class: "two" }, cardName(move.bids[1])),
      el("td", {}, decimal(toNumber(move.probability), 3)),
      el("td", {}, costButton(move, count)),
    ),
    match.opened === count
      ? el("tr", {}, el("td", { colspan: 6, class: "opened" }, inFull(move.cost)))
      : null,
  ]);
  const heads = ["Round", "Prize", "You", "Optimum", "Share", "Cost"];
  return el(
    "section",
    { class: "review" },
    el("h2", {}, `${heading}, ${Math.max(...score)} to ${Math.min(...score)}`),
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
            heads.map((head) => el("th", { scope: "col" }, head)),
          ),
        ),
        el("tbody", {}, rows),
      ),
    ),
    el(
      "p",
      { class: "quiet" },
      "Share: how often optimal play makes your bid there. A round’s number opens it in the explorer; a cost opens in full.",
    ),
  );
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
