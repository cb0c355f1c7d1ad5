# Answers questions about paths with posixpath: each line of standard input is a function and its
# arguments, separated by tabs; each line of output is what it returns, or "ValueError".
import os
import posixpath
import sys

functions = {
    "relpath": posixpath.relpath,
    "abspath": posixpath.abspath,
    "normpath": posixpath.normpath,
    "split": lambda path: "\t".join(posixpath.split(path)),
    "splitext": lambda path: "\t".join(posixpath.splitext(posixpath.basename(path))),
    "commonpath": lambda *paths: posixpath.commonpath([posixpath.normpath(p) for p in paths]),
    "expanduser": posixpath.expanduser,
}
working = sys.argv[1]
os.getcwd = lambda: working
for line in sys.stdin:
    name, *arguments = line.rstrip("\n").split("\t")
    try:
        print(functions[name](*arguments))
    except ValueError:
        print("ValueError")
