// The page: which rules, exploring or playing, and the keys.

const isPlaying = () => location.hash.startsWith("#play/");

function currentGame() {
  const name = location.hash.split("/")[1];
  return DATA.games.find(({ rules }) => slug(rules) === name) ?? DATA.games[0];
}

let wanted = null; // what had the focus before a solution was waited for

/** Draw everything anew, and leave the keyboard's focus where it was. */
function render() {
  const focused = document.activeElement?.dataset.key ?? wanted;
  const place = isPlaying() ? { game: currentGame() } : placeAt(location.hash);
  const view = isPlaying() ? playView(place.game) : exploreView(place);
  document.getElementById("view").replaceChildren(...view.filter(Boolean));
  renderControls(place.game);
  wanted = document.querySelector("[aria-busy]") ? focused : null;
  if (wanted) document.getElementById("view").focus();
  else if (focused) {
    const again = document.querySelector(`[data-key="${focused}"]:not(:disabled)`);
    const next = document.querySelector('.board [tabindex="0"], .hand button:enabled, button.main');
    (again ?? next ?? document.getElementById("view")).focus();
  }
}

function renderControls(game) {
  const choose = (event) => {
    const { rules } = DATA.games[event.target.value];
    location.hash = isPlaying() ? `#play/${slug(rules)}` : `#${slug(rules)}`;
  };
  const options = DATA.games.map(({ rules }, number) =>
    el("option", { value: number, selected: rules === game.rules }, rulesInWords(rules)),
  );
  const rules =
    options.length > 1
      ? el("label", {}, "Rules ", el("select", { "data-key": "rules", onchange: choose }, options))
      : el("span", { class: "quiet" }, rulesInWords(game.rules));
  const tab = (text, href, current) =>
    el("a", { href, "aria-current": current ? "page" : null }, text);
  const tabs = el(
    "nav",
    { "aria-label": "What to do" },
    tab("Explore", `#${slug(game.rules)}`, !isPlaying()),
    tab("Play", `#play/${slug(game.rules)}`, isPlaying()),
  );
  document.getElementById("controls").replaceChildren(tabs, rules);
}

const CARDS = { a: 1, 0: 10, t: 10, j: 11, q: 12, k: 13 };

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select")) return;
  if (isPlaying()) {
    if (event.key === "h") document.querySelector("[data-key='hint']")?.click();
    answer(CARDS[event.key.toLowerCase()] ?? Number(event.key));
    return;
  }
  if (event.key === "Backspace") {
    event.preventDefault();
    const place = placeAt(location.hash);
    if (place.rounds.length) back(place, place.rounds.length - 1);
  }
  if (event.key === "Escape") {
    inspected = null;
    render();
  }
}

addEventListener("keydown", onKey);
addEventListener("hashchange", () => {
  inspected = null;
  render();
});
render();
