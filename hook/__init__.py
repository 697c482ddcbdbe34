"""Thin shells around the core: every side effect of the product lives here."""
