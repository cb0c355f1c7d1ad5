-- Changes that `make mutants` may make and that no caller can see: by file, the line, the changed
-- line (both without blanks at their ends), and why the behaviour is the same.
return {}
