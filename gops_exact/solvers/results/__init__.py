"""Results: frozen data that computes nothing and renders nothing."""
