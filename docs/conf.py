"""The documentation as a site: ``make docs``. Nothing in it is loaded from elsewhere."""  # noqa: INP001  # read by Sphinx

import gc
import sys
from pathlib import Path

HERE = Path(__file__).parent
# A build ends with its process, and takes 150 MB more; the collector of garbage would take a third of its time.
gc.disable()

sys.path[:0] = [str(HERE.parent), str(HERE / "extensions")]

project = "gops_exact"
author = "The gops_exact authors"
language = "en"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "api",
    "command_pages",
    "live_explorer",
    "mathml",
    "notebook_pages",
    "search_excerpts",
]
exclude_patterns = ["extensions"]
# Dashes and ellipses; quotation marks stay as they are written.
smartquotes_action = "De"

# Pages
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

# Reference
default_role = "py:obj"
add_module_names = False
autosummary_generate = False
autodoc_default_options = {"member-order": "bysource"}
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 68
toc_object_entries_show_parents = "hide"
napoleon_numpy_docstring = False
# Classes with attributes are dataclasses: their signatures have the types.
napoleon_custom_sections = [("Attributes", "params_style")]
napoleon_use_rtype = False

# Looks
html_theme = "pydata_sphinx_theme"
html_title = "gops_exact"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
# Sphinx would fetch excerpts, which browsers refuse for files on disk: scorer.js shows them.
html_show_search_summary = False
html_search_scorer = str(HERE / "static/scorer.js")
html_copy_source = False
html_use_index = False
# Pages without pages below them.
html_sidebars = {name: [] for name in ("index", "tutorial")}
html_theme_options = {
    "logo": {"text": "gops_exact"},
    "navbar_align": "left",
    "search_as_you_type": True,
    "header_links_before_dropdown": 7,
    "show_prev_next": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": [],
    "footer_end": [],
    "pygments_light_style": "a11y-light",
    "pygments_dark_style": "a11y-dark",
}
html_context = {"default_mode": "auto"}
