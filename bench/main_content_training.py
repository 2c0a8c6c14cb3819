"""Learn the weights of src/trapline/reading/blocks/weights.py, and print them:

    python bench/main_content_training.py CHECKOUT [DOCUMENTATION ...]

CHECKOUT is one of github.com/adbar/trafilatura: blocks with a wanted or an unwanted piece of text
are labelled by it. DOCUMENTATION are folders of pages that well-known generators made, which tell
by an element what their content is: there, every block is labelled. Nothing else is looked at.

A logistic regression with a penalty for large weights. First it is tried by five-fold
cross-validation: no host, and no generator, is in both parts. F1 of that is the honest figure. Then
it learns from all pages.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import minimize

from annotated_pages import NoCheckout, Tally  # type: ignore[import-not-found]
from labelled_blocks import (  # type: ignore[import-not-found]  # it stands beside this file
    FOLDS,
    Example,
    Numbers,
    read_documentation,
    read_news,
)
from trapline.reading.blocks.block_choice import choose_blocks
from trapline.reading.blocks.class_words import HINT_BITS, HINTS
from trapline.reading.blocks.features import FEATURES
from trapline.reading.blocks.letters import copy_kept
from trapline.reading.blocks.weights import Weights

PENALTY: Final = 100.0  # for the square of a weight, of features of variance 1
# What these names mean is known beforehand, and pages that have them are few.
HIGHEST: Final = {
    -0.8: "comment foot nav widget related share sidebar pager donat (not-shown)",
    -2.5: "popup newsletter cookie login",
    -3.5: "-ad-",
}
HIGHEST_OF_FEATURES: Final = {
    "in navigation": -1.5,
    "in header": -1.0,
    "outside main": -2.0,
}


def learn(examples: list[Example]) -> Weights:
    """The weights that explain the labels best."""
    rows = np.vstack([example.rows for example in examples])
    labels = np.concatenate([example.labels for example in examples])
    importance = np.concatenate([example.importance for example in examples])
    spread = rows.std(axis=0)
    spread[spread == 0] = 1.0
    mean = rows.mean(axis=0)
    scaled = (rows - mean) / spread

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        scores = weights[0] + scaled @ weights[1:]
        wrong = importance * (1 / (1 + np.exp(-scores)) - labels)
        cost = importance @ (np.logaddexp(0, scores) - labels * scores)
        cost += PENALTY / 2 * weights[1:] @ weights[1:]
        slope = scaled.T @ wrong + PENALTY * weights[1:]
        return cost, np.concatenate([[wrong.sum()], slope])

    start = np.zeros(rows.shape[1] + 1)
    limits = [(None, None), *((None, most) for most in highest_weights() * spread)]
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=limits).x
    weights = found[1:] / spread
    features, hints = np.split(weights, [len(FEATURES)])
    return Weights(float(found[0] - weights @ mean), features, hints)


def highest_weights() -> Numbers:
    weights = np.full(len(FEATURES) + HINT_BITS, np.inf)
    for weight, words in HIGHEST.items():
        for word in words.split():
            weights[len(FEATURES) + HINTS[word]] = weight
    for name, weight in HIGHEST_OF_FEATURES.items():
        weights[FEATURES.index(name)] = weight
    return weights


def cross_validate(examples: list[Example]) -> Tally:
    """How well pages of unknown hosts are read."""
    tally = Tally()
    for fold in range(FOLDS):
        weights = learn([one for one in examples if one.fold != fold])
        for one in examples:
            if one.fold == fold and one.annotated is not None and one.page is not None:
                choose_blocks(one.page, weights, np.empty(len(FEATURES)))
                size = copy_kept(one.page)
                text = one.page.text[:size].tobytes().decode()
                tally.add(one.annotated, text)
    return tally


def print_weights(weights: Weights) -> None:
    print(f"_BIAS: Final = {weights.bias:.3f}")
    print("_FEATURES: Final = {")
    for name, weight in zip(FEATURES, weights.features, strict=True):
        print(f'    "{name}": {weight:.3f},')
    print("}\n_HINTS: Final = {")
    for word, bit in HINTS.items():
        print(f'    "{word}": {weights.hints[bit]:.3f},')
    print("}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("documentation", type=Path, nargs="*")
    given = parser.parse_args()
    try:
        examples = [
            *read_news(given.checkout),
            *read_documentation(given.documentation),
        ]
    except NoCheckout as error:
        print(error, file=sys.stderr)
        return 2
    tally = cross_validate(examples)
    print(f"# {len(examples)} pages; unknown hosts: F1 {tally.f1:.4f}, ", end="")
    print(f"precision {tally.precision:.4f}, recall {tally.recall:.4f}")
    print_weights(learn(examples))
    return 0


if __name__ == "__main__":
    sys.exit(main())
