"""`make train`: trains the local model, writes its file and prints its figures on wordings it never saw."""

import hashlib
import time

from mailsync.classify.model.weights import FILE, weights
from mailsync.training.examples import examples
from mailsync.training.figures import answers, table
from mailsync.training.train import KEPT_BACK, WHOLE, trained, write


def main() -> None:
    began = time.monotonic()
    content = trained(WHOLE)
    told = write(FILE, content)
    print(f"{FILE.name}: {len(content):,} bytes, sha256 {hashlib.sha256(content).hexdigest()[:16]}")
    print(f"temperature {told.head.temperature}, thresholds {told.head.thresholds}")
    weights.cache_clear()
    for line in table(answers(told, examples("test", WHOLE.per_weight // KEPT_BACK))):
        print(line)
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
