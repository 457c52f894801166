// The page: which rules, exploring, playing or drills, and the keys.

/** What is done at the address: "play", "drill" or, of any other, "explore". */
const doing = () => location.hash.match(/^#(play|drill)(?:\/|$)/)?.[1] ?? "explore";

const VIEWS = { explore: exploreView, play: playView, drill: drillView };

let boardAt = null; // the address of the board shown, which stays scrolled as it is
let wanted = null; // what had the focus before a solution was waited for

/** Draw everything anew, and leave the keyboard's focus where it was. */
function render() {
  const focused = document.activeElement?.dataset.key ?? wanted;
  const scrolled = document.querySelector(".scroll:has(.board)")?.scrollLeft;
  let [place, view] = [null, null];
  try {
    place =
      doing() === "explore"
        ? placeAt(location.hash)
        : placeNamed(location.hash.replace(/^#(play|drill)\/?/, ""));
  } catch ({ message }) {
    view = [refusal(message)];
  }
  view ??= VIEWS[doing()](place);
  document.getElementById("view").replaceChildren(...view.filter(Boolean));
  renderControls(place?.game ?? DATA.games[0]);
  const scrolledTo = boardAt === location.hash ? scrolled : 0;
  const box = document.querySelector(".scroll:has(.board)");
  if (box) box.scrollLeft = scrolledTo;
  boardAt = location.hash;
  bringIntoView();
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
    const first = nameOf(rules, start(rules));
    const addresses = {
      explore: `#${first}`,
      play: `#play/${first}`,
      drill: drillAddress({ rules }),
    };
    location.hash = addresses[doing()];
  };
  const isKnown = DATA.games.includes(game);
  const options = DATA.games.map(({ rules, takes, held }, number) =>
    el(
      "option",
      { value: number, selected: rules === game.rules, disabled: held === false },
      `${rulesInWords(rules)}${takes ? ` (takes ${takes}${held ? "" : ": too much here"})` : ""}`,
    ),
  );
  if (!isKnown)
    options.push(el("option", { selected: true, disabled: true }, rulesInWords(game.rules)));
  const rules =
    options.length > 1
      ? el("label", {}, "Rules ", el("select", { "data-key": "rules", onchange: choose }, options))
      : el("span", { class: "quiet" }, rulesInWords(game.rules));
  const first = nameOf(game.rules, start(game.rules));
  const tab = (text, href) =>
    el("a", { href, "aria-current": doing() === text.toLowerCase() ? "page" : null }, text);
  const tabs = el(
    "nav",
    { "aria-label": "What to do" },
    tab("Explore", `#${first}`),
    tab("Play", playAddress(game)),
    tab("Drill", drillAddress(game)),
  );
  const letters = el(
    "button",
    {
      type: "button",
      "data-key": "letters",
      "aria-pressed": String(lettered),
      onclick: switchLetters,
    },
    "A, J, Q, K",
  );
  document.getElementById("controls").replaceChildren(tabs, rules, letters);
}

/** Name the cards by letters or by numbers from now on. */
function switchLetters() {
  lettered = !lettered;
  remembered.set("cards", lettered ? "letters" : "numbers");
  render();
}

const CARDS = { a: 1, 0: 10, t: 10, j: 11, q: 12, k: 13 };

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select")) return;
  if (document.querySelector(".refused")) return;
  const typed = CARDS[event.key.toLowerCase()] ?? Number(event.key);
  const press = (key) => document.querySelector(`[data-key='${key}']`)?.click();
  if (event.key === "n") press(document.querySelector(".review") ? "again" : "next");
  if (doing() === "play") {
    if (event.key === "h") press("hint");
    answer(typed);
    return;
  }
  if (doing() === "drill") {
    bidInDrill(typed);
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

/** Take the colours of the site that the page is embedded in, which may have a switch of its own. */
function followSite() {
  let site = null;
  try {
    if (parent !== window) site = parent.document.documentElement;
  } catch {} // of another origin, which shows nothing of itself: the system decides
  if (!site) return;
  const isDark = (rule) => rule.media?.mediaText === "(prefers-color-scheme: dark)";
  const dark = [...document.styleSheets[0].cssRules].find(isDark);
  const follow = () => {
    const { theme } = site.dataset;
    const chosen = theme === "dark" || theme === "light";
    dark.media.mediaText = chosen
      ? { dark: "all", light: "not all" }[theme]
      : "(prefers-color-scheme: dark)";
    document.documentElement.style.colorScheme = chosen ? theme : "";
  };
  new MutationObserver(follow).observe(site, { attributes: true, attributeFilter: ["data-theme"] });
  follow();
}

followSite();
addEventListener("keydown", onKey);
addEventListener("resize", bringIntoView);
addEventListener("hashchange", () => {
  inspected = null;
  render();
});
render();
