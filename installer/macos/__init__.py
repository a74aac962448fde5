"""The program for a Mac: bundle, picture of a disk, signatures."""
