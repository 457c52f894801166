// The order of what a search finds, and excerpts, which are kept in a file that can be read from disk, too.
let asked = "";
let terms = [];
let observer = null;

const ROOT = new URL(document.documentElement.dataset.content_root, location).href;
const search = Search._performSearch;
Search._performSearch = (query, searchTerms, ...others) => {
  asked = query.trim();
  terms = [...searchTerms];
  if (!observer) {
    observer = new MutationObserver(addExcerpts);
    observer.observe(document.documentElement, { childList: true, subtree: true });
    Search.loadIndex(`${ROOT}_static/excerpts.js`);
  }
  return search(query, searchTerms, ...others);
};

function addExcerpts() {
  if (typeof EXCERPTS === "undefined") return;
  document.querySelectorAll("ul.search > li:not(:has(p.context))").forEach((item) => {
    const [page, anchor] = item.querySelector("a").href.slice(ROOT.length).split(/\.html#?/);
    const parts = (EXCERPTS[page] ?? []).filter(([id]) => !anchor || id === anchor);
    if (!parts.length) return;
    const places = ([, text]) => terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
    const [best] = parts.toSorted((one, two) => places(two).length - places(one).length);
    const first = places(best).length ? Math.min(...places(best)) : 0;
    const begin = Math.max(0, first - 80);
    const excerpt = item.appendChild(document.createElement("p"));
    excerpt.className = "context";
    excerpt.textContent = (begin ? "… " : "") + best[1].slice(begin, begin + 200) + (begin + 200 < best[1].length ? " …" : "");
  });
}

// The guide comes before the background, this before the reference, and pages before functions, unless the query
// looks like code: then names come first, options of commands before fields of their name, and of several commands
// the main one's.
const CODE = /[._]|^-|\(/;
const REFERENCE = /^(reference|commands|notebooks)\//;
const GUIDE = /^(tutorial|how-to|rules|matrix_games|game_trees|hidden_bids|players|training|openspiel|cluster|commands)$/;

var Scorer = {
  score: ([page, , anchor, , score, , kind]) => {
    if (CODE.test(asked))
      return score + (anchor.includes("cmdoption") ? 10 : 0) + (page === "commands/first-move" ? 1 : 0);
    const room = GUIDE.test(page) ? 10 : REFERENCE.test(page) ? 0 : 5;
    return score + room - (kind === "object" ? 40 : 0);
  },
  // Sphinx's own scores, which this file replaces as a whole.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
