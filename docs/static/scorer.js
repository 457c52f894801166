// The order of what a search finds, and excerpts, which are kept in a file that can be read from disk, too.

// Words that readers type, by the page or section that they want and whose title lacks them.
const KEYWORDS = {
  "tutorial": "tutorial begin getting started quickstart introduction",
  "tutorial#install": "installation setup windows macos linux mac pip environment",
  "rules": "game goofspiel gops how played order prizes carryover ties objective win",
  "rules#ties-carryover": "carried over pot",
  "matrix_games": "payoff payoffs table bimatrix zero-sum minimax solver",
  "matrix_games#input": "csv file files pandas numpy import read",
  "matrix_games#from-excel-or-another-spreadsheet": "csv file files import read",
  "matrix_games#what-if-a-payoff-changes": "sensitivity analysis change vary",
  "matrix_games#a-number-that-varies": "parametric parameter family sensitivity",
  "matrix_games#a-certificate-that-others-can-check": "proof verify prove vipr",
  "matrix_games#dominance-regret-equilibria": "dominated strategies",
  "game_trees": "extensive form poker dice imperfect hidden information",
  "game_trees#a-game-of-your-own": "write define custom own poker",
  "game_trees#an-equilibrium-to-play": "refined quasi-perfect mistake subgame perfect",
  "game_trees#files-and-other-programs": "gambit efg openspiel import",
  "game_trees#what-a-strategy-is-worth": "exploitability nash_conv best response policy",
  "game_trees#a-player-s-play-fixed": "node locking lock",
  "how-to#show-how-a-small-game-is-solved": "steps worked solution blackboard explain by hand",
  "how-to#keep-values-between-runs": "store cache save resume database",
  "how-to#wait-and-stop": "progress interrupt ctrl-c",
  "how-to#export": "save output table tables latex csv json excel markdown format",
  "how-to#look-at-a-game-and-play-it": "explore explorer page html play against",
  "how-to#look-at-thirteen-cards-and-ask-from-a-script": "serve server http api",
  "how-to#play-in-a-terminal-measure-a-policy": "play against computer",
  "how-to#find-all-optimal-strategies": "unique multiple equilibria",
  "how-to#review-a-game-of-textarena-or-openspiel": "mistakes analyse analyze log language models",
  "lecture": "teacher teaching teach class classroom course students slides school exercises",
  "gallery": "examples example scripts games",
  "training": "reinforcement learning environment gymnasium pettingzoo agent",
  "players#measured-exactly": "exploitability best response",
  "cluster": "dask slurm parallel distributed",
  "commands": "command line cli options terminal",
  "commands#exit-status": "error code",
  "proofs": "coq proof theorem certificate prove verified",
  "pictures": "plot plots figure matplotlib draw chart",
  "peers": "comparison benchmark speed gambit highs fast",
  "literature": "papers references citations",
  "published_tables": "errors misprints mistakes rhoads bartholdi",
  "win": "winning probability strategy",
  "compatibility": "versions stable deprecated",
  "architecture": "source code structure contribute",
};

const SMALL = new Set("a an and are by can do does for how i in is it my of on or the to with".split(" "));

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
  const found = search(query, searchTerms, ...others);
  if (CODE.test(asked)) return found;
  const every = titled("every");
  const titles = every.length || found.length ? every : titled("some");
  const places = new Set(titles.map(place));
  return [...found.filter((result) => !places.has(place(result))), ...titles];
};

const place = ([page, , anchor]) => page + anchor;

// Pages and sections whose title, with its keywords, has every or some word of the query: the best one last, as Sphinx
// wants it.
function titled(quantifier) {
  const index = Search._index;
  const stemmer = new Stemmer();
  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean).map((word) => stemmer.stemWord(word));
  const asking = words(asked);
  const wanted = asking.some((word) => !SMALL.has(word)) ? asking.filter((word) => !SMALL.has(word)) : asking;
  const found = [];
  for (const [title, places] of Object.entries(index.alltitles))
    for (const [file, id] of places) {
      const page = index.docnames[file];
      const isPage = index.titles[file] === title;
      const own = words(title);
      const others = words(KEYWORDS[isPage || !id ? page : `${page}#${id}`] ?? "");
      const has = (term, list) => list.some((word) => word === term || (term.length > 2 && word.startsWith(term)));
      if (!wanted.length || !wanted[quantifier]((term) => has(term, own) || has(term, others))) continue;
      const share = wanted.filter((term) => has(term, own)).length / Math.max(own.length, wanted.length);
      const whole = title.toLowerCase().includes(asked.toLowerCase()) ? 30 : 0;
      const score = 200 + 60 * share + whole + (isPage ? 25 : 0) + room(page);
      const name = isPage ? title : `${index.titles[file]} > ${title}`;
      const anchor = id === null || isPage ? "" : `#${id}`;
      found.push([page, name, anchor, null, score, index.filenames[file], SearchResultKind.title]);
    }
  return found.toSorted((one, two) => one[4] - two[4]);
}

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

// Titles come first. Then the guide comes before the background, this before the reference, and pages before functions,
// unless the query looks like code: then names come first, options of commands before fields of their name, and of
// several commands the main one's.
const CODE = /[._]|^-|\(/;
const REFERENCE = /^(reference|commands|notebooks)\//;
const GUIDE = /^(tutorial|guide|gallery|lecture|how-to|rules|matrix_games|game_trees|hidden_bids|players|training|openspiel|cluster|commands)$/;
const room = (page) => (GUIDE.test(page) ? 10 : REFERENCE.test(page) ? 0 : 5);

var Scorer = {
  score: ([page, , anchor, , score, , kind]) => {
    if (CODE.test(asked))
      return score + (anchor.includes("cmdoption") ? 10 : 0) + (page === "commands/first-move" ? 1 : 0);
    return score + room(page) - (kind === "object" ? 40 : 0);
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
