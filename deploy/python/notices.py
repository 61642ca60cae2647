"""Prints the copyright notices and terms in the comments of C and C++ sources of the Swift packages in a folder, each once."""

import re
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+", re.DOTALL | re.MULTILINE)
TERMS = re.compile("copyright|licen[cs]e", re.IGNORECASE)

found = {}
for file in sorted(Path(sys.argv[1]).glob("*/Sources/**/*")):
    if file.suffix in {".c", ".cc", ".h", ".inc", ".S"}:
        for comment in COMMENT.findall(file.read_text(errors="replace")):
            if TERMS.search(comment):
                words = re.sub(r"[\s/*#]+", " ", comment)
                found.setdefault(words, f"{file.relative_to(sys.argv[1])}:\n\n{comment.strip()}\n")
print("\n".join(found.values()))
