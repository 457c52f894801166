// Walking down a game: the address after # holds the position begun with, by its name, the rounds
// played and the upcard, so every position has a link and the browser's own buttons go back and forth.
//   #1.2.3_1.2.3_1.2.3/3:2-1,1:1-2/2
// or the name alone, with the upcard in it. A game's rules may stand for its first position:
//   #points-discard-random/3:2-1,1:1-2/2

const RULES_IN_WORDS = {
  points: "for points",
  win: "to win",
  discard: "ties discarded",
  carryover: "ties carried over",
  random: "prizes shuffled",
  hidden: "prizes hidden",
};

function rulesInWords(rules) {
  const words = [rules.objective, rules.ties].map((word) => RULES_IN_WORDS[word]);
  const order = RULES_IN_WORDS[rules.prizes] ?? `prizes ${prizesName(rules).replaceAll(",", ", ")}`;
  return [...words, order].join(", ");
}

const roundText = ({ upcard, bids }) => `${upcard}:${bids.join("-")}`;

function address({ game: { rules }, from, rounds, upcard }) {
  if (!rounds.length && !(isHidden(rules) && upcard !== null)) return `#${nameOf(rules, from, upcard)}`;
  return `#${nameOf(rules, from)}/${rounds.map(roundText).join(",")}/${upcard ?? ""}`;
}

/** A place before any round is played. */
function fresh(game, from = start(game.rules)) {
  const score = [Math.max(from.margin, 0), Math.max(-from.margin, 0)];
  return { game, from, position: from, rounds: [], score, upcard: null };
}

/** The first place of an address: a game's, by its rules, or a position's, by its name. */
function begun(text) {
  if (!text) return fresh(DATA.games[0]);
  if (/^[a-z]/.test(text)) {
    const game = DATA.games.find(({ rules }) => slug(rules) === text);
    if (game) return fresh(game);
    throw new Error(
      `this page has no game ${text}, but ${DATA.games.map(({ rules }) => slug(rules)).join(", ")}`,
    );
  }
  const { rules, position, upcard } = parsed(text);
  const game = gameOf(rules);
  if (!game) throw new Error(`this page has no game ${rulesInWords(rules)}`);
  if (!isHeld(game, position))
    throw new Error(
      `this page holds the game of ${DATA.n} cards alone, and no round of it leads to ${text}`,
    );
  return { ...fresh(game, position), upcard };
}

/**
 * The place an address names; its upcard is null unless it is named or the only one that can be. An
 * address that names none is an error, whose message says where it is wrong.
 */
function placeNamed(text) {
  const parts = text.split("/");
  const [name, path = "", up = ""] = parts;
  if (parts.length > 3) throw new Error(`expected a position, rounds and an upcard, got ${text}`);
  const place = begun(name);
  const { rules } = place.game;
  for (const [count, said] of path.split(",").filter(Boolean).entries()) {
    const numbers = said
      .match(/^(\d+):(\d+)-(\d+)$/)
      ?.slice(1)
      .map(Number);
    const [upcard, ...bids] = numbers ?? [];
    const isNext = place.upcard === null || place.upcard === upcard;
    if (!numbers || !isNext || !canBid(place, upcard, bids))
      throw new Error(
        `round ${count + 1} must be a prize and bids that are left, as 3:2-1, got ${said}`,
      );
    play(place, { upcard, bids });
  }
  if (up) {
    if (!upcards(rules, place.position).includes(Number(up)))
      throw new Error(
        `the upcard must be one of ${upcards(rules, place.position).join(", ") || "no prizes"}, got ${up}`,
      );
    place.upcard = Number(up);
  }
  if (isFixed(rules) || place.position.prizes.length === 1)
    place.upcard ??= place.position.prizes[0] ?? null;
  return place;
}

/** The place an address is explored at: with an upcard, if bids are made for one. */
function placeAt(hash) {
  const place = placeNamed(hash.replace(/^#/, ""));
  if (!isHidden(place.game.rules)) place.upcard ??= place.position.prizes.at(-1) ?? null;
  return place;
}

/** What is shown of an address that names no position. */
function refusal(words) {
  return el(
    "section",
    { class: "refused" },
    el("h2", {}, "This link leads to no position"),
    alarm(`${words[0].toUpperCase()}${words.slice(1)}.`),
    el("p", {}, el("a", { href: "#", "data-key": "restart" }, "The game from its start")),
  );
}

function canBid({ game, position }, upcard, bids) {
  return (
    upcards(game.rules, position).includes(upcard) &&
    bids.every((bid, player) => position.hands[player].includes(bid))
  );
}

/** Play a round: the place afterwards, its score with what was carried over. */
function play(place, round) {
  const stake = round.upcard + place.position.pot;
  const winner = Math.sign(round.bids[0] - round.bids[1]);
  if (winner) place.score[winner > 0 ? 0 : 1] += stake;
  place.position = after(place.game.rules, place.position, round.upcard, round.bids);
  place.rounds.push(round);
  place.upcard = null;
}

const go = (place) => (location.hash = address(place));

/** The place after `count` rounds. */
function back({ game, from, rounds }, count) {
  go({ game, from, rounds: rounds.slice(0, count), upcard: rounds[count]?.upcard ?? null });
}

let inspected = null;

const LEGEND =
  "A cell: what both bids are worth to player one, optimal play to follow. A bar: how often optimal play makes the bid.";

function exploreView(place) {
  const { game, position, upcard } = place;
  const parts = [progress(place)];
  if (decided(game.rules, position) !== null) return [...parts, ending(place)];
  // With hidden prizes the bids are made before the upcard that the matrix averages over.
  const solved = solution(game, position, isHidden(game.rules) ? null : upcard);
  if (!solved.matrix) return [...parts, upcardPicker(place), waiting(solved)];
  const inspect = (what) => {
    const again = what.kind === "cell" && JSON.stringify(what) === JSON.stringify(inspected);
    inspected = what;
    if (again) bid(place);
    else render();
  };
  return [
    ...parts,
    settled(game, solved),
    upcardPicker(place),
    nextButton(place, solved),
    el(
      "div",
      { class: "play-area" },
      el(
        "div",
        {},
        scrolling(board({ hands: position.hands, solved, inspected, inspect })),
        el("p", { class: "quiet legend" }, LEGEND),
      ),
      el("aside", { class: "detail", "aria-live": "polite" }, detail(place, solved)),
    ),
    worthChart(place),
    workedSolution(place, solved),
    editor(place, solved),
  ];
}

/**
 * How often each card is bid first, for each worth of the highest prize: bands as high as the
 * probabilities, low cards below; null at other positions and prizes.
 */
function worthChart({ game, from, rounds, upcard }) {
  const { worths, rules } = game;
  const isFirst = !rounds.length && nameOf(rules, from) === nameOf(rules, start(rules));
  if (!isFirst || upcard !== worths?.upcard) return null;
  const { points } = worths;
  const isSame = (mix, at) => String(mix) === String(points.at(at).slice(1));
  const last = points.findIndex(([, ...mix], at) => isSame(mix, -1) && isSame(mix, at - 1));
  const lastChange = points[Math.max(last - 1, 0)][0];
  const end = Math.min(points.at(-1)[0], Math.ceil(lastChange) + 1);
  const edge = (bids) =>
    points.map(([worth, ...mix]) => `${Math.min(worth, end)},${1 - sum(mix.slice(0, bids))}`);
  const shade = (bid) => `rgba(var(--one), ${bid / DATA.n})`;
  const band = (bid) =>
    `<polygon style="fill: ${shade(bid)}" points="${[...edge(bid - 1), ...edge(bid).reverse()].join(" ")}"/>`;
  const bands = el("div", { role: "img", "aria-label": "Probability of each first bid by the worth of the prize" });
  bands.innerHTML = `<svg viewBox="0 0 ${end} 1" preserveAspectRatio="none">${wholeHand.map(band).join("")}</svg>`;
  const ticks = Array.from({ length: end + 1 }, (_, worth) => el("span", {}, String(worth)));
  const legend = wholeHand.map((bid) => el("span", { style: `--shade-of: ${shade(bid)}` }, cardName(bid)));
  return el(
    "figure",
    { class: "worths" },
    el("h2", {}, `If the ${cardName(upcard)} were worth more or less`),
    bands,
    el("div", { class: "ticks", "aria-hidden": "true" }, ticks),
    el("figcaption", { class: "quiet" }, "How often each card is bid first, ", legend,
      `, for each number of points that this prize may be worth, the rest of the game as it is; from ${decimal(lastChange)} points on, always the same.`),
  );
}

/** Say of a position that it is decided, whatever both bid, or won by optimal play. */
function settled({ rules }, { matrix, value }) {
  const worth = matrix.flat().map(toNumber);
  const isSure = isWinning(rules) && Math.abs(toNumber(value)) === 1;
  let said = isSure ? `${PLAYERS[toNumber(value) > 0 ? 0 : 1]} is sure to win with optimal play.` : null;
  if (isSure && worth.every((each) => each === worth[0]))
    said = "The game is decided: whatever both bid, the winner is the same.";
  return said && el("p", { class: "news", role: "status" }, said);
}

/** Both bids of the cell inspected, for the upcard shown. */
function bid(place) {
  if (place.upcard === null) return;
  const { i, j } = inspected;
  const bids = [place.position.hands[0][i], place.position.hands[1][j]];
  inspected = null;
  go({ ...place, rounds: [...place.rounds, { upcard: place.upcard, bids }], upcard: null });
}

/** The rounds so far, each a way back, and the score. */
function progress(place) {
  const { rounds, score, position } = place;
  const steps = rounds.map((round, count) => {
    const said = (text) => el("span", { class: "unseen" }, text);
    const attributes = {
      type: "button",
      "data-key": `round ${count}`,
      onclick: () => back(place, count),
    };
    const label = [
      said("Back to the round for "),
      el("b", {}, cardName(round.upcard)),
      said(": "),
      el("span", { class: "one" }, cardName(round.bids[0])),
      el("span", { class: "quiet", "aria-hidden": "true" }, ":"),
      said(" against "),
      el("span", { class: "two" }, cardName(round.bids[1])),
    ];
    return el("li", {}, el("button", attributes, label));
  });
  const pot = position.pot ? ` · ${points(position.pot)} carried over` : "";
  return el(
    "section",
    { class: "progress", "aria-label": "Rounds so far" },
    el(
      "p",
      { class: "score" },
      "Score ",
      el("b", { class: "one" }, String(score[0])),
      " : ",
      el("b", { class: "two" }, String(score[1])),
      pot,
    ),
    el("p", { class: "quiet" }, steps.length ? "Rounds: prize, bids" : "No round played yet"),
    el("ol", {}, steps),
  );
}

/** The way to the next round: along the game in play, or else by the likeliest bids of both. */
function nextButton(place, { mixes }) {
  const { game, position, rounds, upcard } = place;
  const before = match && { ...match, rounds: match.rounds.slice(0, rounds.length), upcard: null };
  const isPlayed = match?.game === game && address(before) === address({ ...place, upcard: null });
  const played = isPlayed ? match.rounds[rounds.length] : null;
  const isNext = played && (isHidden(game.rules) || played.upcard === upcard);
  if (!isNext && upcard === null) return null;
  const bids = position.hands.map((hand, player) => likeliest(hand, mixes[player]));
  const round = isNext ? played : { upcard, bids };
  const later = isNext ? (match.rounds[rounds.length + 1]?.upcard ?? null) : null;
  const onclick = () => go({ ...place, rounds: [...rounds, round], upcard: later });
  const attributes = { type: "button", "data-key": "next", title: "Key: N", onclick };
  return el("button", attributes, isNext ? "Next round of your game" : "Next: both likeliest bids");
}

function upcardPicker(place) {
  const { game, position, upcard } = place;
  const choices = upcards(game.rules, position);
  const hidden = isHidden(game.rules);
  const pick = (prize) => go({ ...place, upcard: prize });
  const faces = position.prizes.map((prize) =>
    card(prize, {
      key: `upcard ${prize}`,
      label: `Upcard ${cardName(prize)}`,
      pressed: String(prize === upcard),
      disabled: !choices.includes(prize),
      onclick: () => pick(prize),
    }),
  );
  const label = hidden ? "Prize, seen only after the bids" : "Upcard";
  return el(
    "section",
    { class: "upcards", "aria-labelledby": "upcard-label" },
    el("h2", { id: "upcard-label" }, label),
    el("div", { class: "hand", role: "group", "aria-labelledby": "upcard-label" }, faces),
  );
}

function detail(place, solved) {
  if (inspected?.kind === "cell" && solved.matrix[inspected.i]?.[inspected.j])
    return cellDetail(place, solved);
  if (inspected?.kind === "bid" && solved.mixes[inspected.player][inspected.place])
    return bidDetail(place, solved);
  const meaning = isWinning(place.game.rules)
    ? "Player one’s chance to win less the chance to lose, by optimal play."
    : "Points that player one gains from here on by optimal play.";
  return [
    el("h2", {}, "Value of the game"),
    el("p", { class: "number" }, signed(toNumber(solved.value), 6)),
    inFull(solved.value),
    el("p", {}, meaning),
    verdict(solved),
    el(
      "p",
      { class: "quiet" },
      "Choose a cell for its payoff in full; choose it again to make both bids. Choose a bar for its probability.",
    ),
  ];
}

function cellDetail(place, solved) {
  const { game, position, upcard } = place;
  const { i, j } = inspected;
  const bids = [position.hands[0][i], position.hands[1][j]];
  const now = gain(game.rules, position, upcard, bids);
  const later = toNumber(minus(solved.matrix[i][j], whole(now)));
  const split =
    isHidden(game.rules) || isWinning(game.rules)
      ? "What optimal play makes of the position that follows."
      : `${signed(now, 0)} at once, and ${signed(later, 4)} from the position that follows.`;
  const label =
    upcard === null ? "Choose the prize first" : `Make these bids for ${cardName(upcard)}`;
  return [
    el("h2", {}, bids.map(cardName).join(" against ")),
    el("p", { class: "number" }, signed(toNumber(solved.matrix[i][j]), 6)),
    inFull(solved.matrix[i][j]),
    el("p", {}, split),
    el(
      "button",
      {
        type: "button",
        class: "main",
        "data-key": "bid",
        disabled: upcard === null,
        onclick: () => bid(place),
      },
      label,
    ),
  ];
}

function bidDetail(place, solved) {
  const { player, place: spot } = inspected;
  const loss = cost(solved, player, spot);
  const free = nothing(loss);
  const verb = free ?? "Against the other's optimal mix this bid gives away";
  return [
    el("h2", {}, `${PLAYERS[player]} bids ${cardName(place.position.hands[player][spot])}`),
    el("p", { class: "number" }, decimal(toNumber(solved.mixes[player][spot]), 6)),
    inFull(solved.mixes[player][spot]),
    el("p", {}, verb, free ? null : el("b", {}, ` ${decimal(toNumber(loss), 6)}`)),
    free ? null : inFull(loss),
  ];
}

function ending(place) {
  const { game, position, score } = place;
  const winner = decided(game.rules, position);
  const ahead = isWinning(game.rules) ? winner : Math.sign(score[0] - score[1]);
  const early = position.prizes.length ? ` ${DECIDED}` : "";
  const outcome = ahead === 0 ? "A draw" : `${PLAYERS[ahead > 0 ? 0 : 1]} wins`;
  return el(
    "section",
    { class: "ending" },
    el("h2", {}, "The game is over"),
    el("p", {}, `${outcome}, ${Math.max(...score)} to ${Math.min(...score)}.${early}`),
    el(
      "button",
      { type: "button", class: "main", "data-key": "restart", onclick: () => back(place, 0) },
      "From the start",
    ),
  );
}
