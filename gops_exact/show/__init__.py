"""Results as text, HTML, LaTeX, frames and pictures."""
