"""Results as tables, frames and text."""
