"""Backend packs: signed archives that bring a plug-in for one build of the engine."""
