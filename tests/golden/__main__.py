"""Write all golden files anew: python -m tests.golden. Look at the diff before you commit it."""

from tests.golden.playthroughs import FOLDER, PLANS, text_of

for plan in PLANS:
    path = FOLDER / f"{plan}.txt"
    path.write_text(text_of(plan), encoding="utf-8")
    print(f"wrote {path.name}")
