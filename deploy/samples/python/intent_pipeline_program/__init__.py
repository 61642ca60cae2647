"""The program `intent-pipeline` in a wheel of deploy/python.sh: all commands of `intents`, and all processes of a pipeline."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Optional


def carried_program() -> Optional[str]:
    """The path of the program; None if the package was installed from its sources, which have none."""
    path = Path(__file__).resolve().with_name("intent-pipeline")
    return str(path) if os.access(path, os.X_OK) else None


def main() -> None:
    """Runs the program in place of this process, under the name that was typed."""
    program, typed = carried_program(), sys.argv[0]
    if program is None:
        sys.exit("this installation has no program: install a wheel that deploy/python.sh has made")
    name = os.path.basename(typed)
    os.execv(program, [name if shutil.which(name) == typed else typed, *sys.argv[1:]])
