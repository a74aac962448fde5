"""The stick: installers of all systems, packs, models, sums, and a page to start from."""
