"""The window around the conversation: sidebar, banner, toast, status strip, start and end."""
