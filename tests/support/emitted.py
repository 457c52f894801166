"""Exact first moves read back from what was emitted."""

import json

import gops_exact as gx

READ_BACK = ("json", "csv")


def read_back(fmt, text):
    """The probabilities of a text in one of the formats, {upcard: {card: probability}}."""
    if fmt == "json":
        columns = {each["upcard"]: each["probabilities"] for each in json.loads(text)["columns"]}
    else:
        columns = {}
        for line in text.splitlines()[1:]:
            upcard, card, probability, _ = line.split(",")
            columns.setdefault(None if upcard == "hidden" else int(upcard), {})[card] = probability
    return {
        upcard: {int(card): gx.view(text) for card, text in column.items()}
        for upcard, column in columns.items()
    }
