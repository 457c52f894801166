"""Compiled kernels of the float layers."""
