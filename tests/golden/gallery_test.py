#!/usr/bin/env python3
"""The gallery has every shipped model, and nothing else; its pictures exist and are small.

    gallery_test.py ROOT      after a change: ninja gallery
"""
import re
import sys
from pathlib import Path

MOST_BYTES = 40_000  # of a picture: all of them together stay below a megabyte or two
MOST_MOVING = 1_000_000  # of the moving picture in the README


def complaints(root):
    models = {path.stem for path in (root / "models").glob("*.toml")}
    shown = set(re.findall(r"\(\.\./models/(\w+)\.toml\)", (root / "docs/gallery.md").read_text(encoding="utf-8")))
    pictures = {path.stem: path.stat().st_size for path in (root / "docs/images/gallery").glob("*.png")}
    for name in sorted(models - shown):
        yield f"docs/gallery.md: models/{name}.toml is missing"
    for name in sorted(shown - models):
        yield f"docs/gallery.md: there is no models/{name}.toml"
    for name in sorted(shown - pictures.keys()):
        yield f"docs/images/gallery/{name}.png is missing"
    for name, size in pictures.items():
        if size > MOST_BYTES:
            yield f"docs/images/gallery/{name}.png has {size} bytes, more than {MOST_BYTES}"
    moving = root / "docs/images/squeezer.png"
    if moving.stat().st_size > MOST_MOVING or b"acTL" not in moving.read_bytes()[:100]:
        yield f"{moving.name} does not move, or is too large"
    if "docs/images/squeezer.png" not in (root / "README.md").read_text(encoding="utf-8"):
        yield "README.md: no moving picture"


def main():
    found = list(complaints(Path(sys.argv[1])))
    print("\n".join(found + (["run: ninja gallery"] if found else [])))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
