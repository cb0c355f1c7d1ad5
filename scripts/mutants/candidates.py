"""Prints the changes of universalmutator's rules for C: file, line, new line, separated by tabs; a vertical tab in the
new line stands for a newline.

candidates.py FILE.c ...   (a change within a string literal alone is left out: no contract has texts)
"""
import contextlib
import sys

from universalmutator import mutator

RULES = ["universal.rules", "c_like.rules", "c.rules"]

for path in sys.argv[1:]:
    with open(path) as source, contextlib.redirect_stdout(sys.stderr):
        found = mutator.mutants_regexp(source.readlines(), RULES, ignorePatterns=[r"^\s*#"],
                                       ignoreStringOnly=True)
    for line, text, *_ in found:
        print(path, line, text.rstrip("\n").replace("\n", "\v"), sep="\t")
