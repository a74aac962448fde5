"""Which backends the engine may use: plug-ins that are approved, and the packs that bring more."""
