"""The extension is plain JavaScript: its types stand in JSDoc and are checked as strictly as ours."""

import subprocess
from pathlib import Path

from fixtures.npm import node_program


def test_the_extension_passes_the_strict_type_checker(npm_folder: Path):
    checked = subprocess.run(
        [node_program(), "node_modules/typescript/bin/tsc", "--project", ".", "--noEmit"],
        cwd=npm_folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
