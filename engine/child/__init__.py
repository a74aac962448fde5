"""Work in a process of its own: what may crash, hang or be killed without taking the app along."""
