"""What a release is checked and finished with; each step runs by hand as well."""
