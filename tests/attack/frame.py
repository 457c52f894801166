import argparse
class Wrong(Exception):  # noqa: N818
    """x"""
def parser(doc, seconds=60, count=None):
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawTextHelpFormatter)
    made.add_argument("--seconds", type=float, default=seconds)
    made.add_argument("--count", type=int, default=count)
    made.add_argument("--seed", default="0")
    made.add_argument("--only", default="")
    return made
