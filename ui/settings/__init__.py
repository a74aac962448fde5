"""The Settings page: how Snug looks, where models come from and are kept, and what left here."""
