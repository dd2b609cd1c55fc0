"""Recomputes an analysis from its rows and compares: results.csv with results.json, report.html and the terminal.

    recompute.py FOLDER TERMINAL

What is computed here is written from the definitions, not from the program. Recomputed figures may differ by 1 %, for they are
rounded where they are shown; what is shown in several places is the same to the last digit. Swap the rows of two solvers in the
CSV and this fails.
"""

import csv
import html.parser
import json
import math
import pathlib
import statistics
import sys

SECTIONS = {"CPU time": "cpu_seconds", "wall time": "seconds", "generated nodes": "generated", "visited nodes": "visited"}


def quantile(values, share):
    values = sorted(values)
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def slope(points):
    """What ln y grows by with x."""
    mx, my = (statistics.fmean(p[i] for p in points) for i in (0, 1))
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, y in points)


def recomputed(rows):
    """The figures of one solver."""
    solved = [row for row in rows if row["outcome"] == "solved"]
    found = {"positions": len(rows), "solved": len(solved), "stopped": sum(row["outcome"] == "stopped" for row in rows)}
    # A limit may stop a search that has a solution in hand; one whose tables do not fit is never begun.
    having = [row for row in rows if row["length"]]
    begun = [row for row in rows if row["outcome"] != "stopped" or int(row["generated"]) > 0]
    for name, among in [("seconds", solved), ("cpu_seconds", solved), ("generated", solved), ("visited", solved), ("length", having), ("peak_bytes", begun)]:
        values = [float(row[name]) for row in among]
        if not values:
            continue
        found[name] = {
            "mean": statistics.fmean(values),
            "median": statistics.median(values),
            "p05": quantile(values, 0.05),
            "p95": quantile(values, 0.95),
            "max": max(values),
        }
        if len(values) > 1:
            found[name]["deviation"] = statistics.stdev(values)
    if solved:
        found["rate"] = sum(int(row["generated"]) for row in solved) / sum(float(row["seconds"]) for row in solved)
    solutions = {
        "found": len(having),
        "proven": sum(row["optimal"] == "true" for row in having),
        "shortest": sum(row["best_proven"] == "true" and row["length"] == row["best_known"] for row in having),
        "longer": sum(int(row["length"]) > int(row["best_known"]) for row in having),
    }
    found["solutions"] = solutions
    if having:
        found |= {name: solutions[name] / len(having) for name in ("proven", "shortest", "longer")}
    excess = [int(row["length"]) - int(row["best_known"]) for row in having if row["length"] != row["best_known"]]
    if excess:
        found["excess"] = statistics.fmean(excess)
    return found


def near(name, said, computed):
    if isinstance(computed, dict):
        for key, value in computed.items():
            near(f"{name}.{key}", said[key], value)
    # Shares are shown to a hundredth of a percent.
    elif not math.isclose(said, computed, rel_tol=0.01, abs_tol=0.0001):
        sys.exit(f"{name}: {said} is said, {computed} is computed")


class Tables(html.parser.HTMLParser):
    """The tables of a page: caption, solver, then numbers and texts."""

    def __init__(self):
        super().__init__()
        self.tables, self.inside, self.text = [], [], ""

    def handle_starttag(self, tag, attributes):
        self.inside.append(tag)
        self.text = ""
        if tag == "table":
            self.tables.append({"heads": [], "rows": []})
        if tag == "tr":
            self.tables[-1]["rows"].append({"name": None, "cells": []})
        if tag == "data":
            self.value = dict(attributes)["value"]

    def handle_data(self, data):
        self.text += data

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass
        table = self.tables[-1] if self.tables else None
        if tag == "caption":
            table["caption"] = self.text
        if tag == "th" and "thead" in self.inside:
            table["heads"].append(self.text)
        elif tag == "th" and table:
            table["rows"][-1]["name"] = self.text
        if tag == "data":
            table["rows"][-1]["cells"].append((float(self.value), self.text))
        if tag == "td" and self.text == "–":
            table["rows"][-1]["cells"].append((None, "–"))


def same(name, page, json_value):
    if (page is None) != (json_value is None) or page is not None and page != json_value:
        sys.exit(f"{name}: {page} in the report, {json_value} in results.json")


def main(folder, terminal):
    folder = pathlib.Path(folder)
    rows = list(csv.DictReader((folder / "results.csv").open(newline="")))
    results = json.loads((folder / "results.json").read_text())
    page = Tables()
    page.feed((folder / "report.html").read_text())
    terminal = pathlib.Path(terminal).read_text()

    best = {}
    for row in rows:
        if row["length"]:
            best[row["position"]] = min(best.get(row["position"], math.inf), int(row["length"]))
    for row in rows:
        if row["best_known"] and int(row["best_known"]) != best[row["position"]]:
            sys.exit(f"position {row['position']}: the best known is {best[row['position']]}, not {row['best_known']}")

    checked = 0
    for solver in results["solvers"]:
        own = [row for row in rows if row["solver"] == solver["solver"] and int(row["threads"]) == solver["threads"]]
        near(solver["label"], solver["all"], recomputed(own))
        points = [(int(row["best_known"]), math.log(int(row["generated"]))) for row in own if row["outcome"] == "solved"]
        if (solver["growth"] is not None) != (len(points) >= 5 and len({x for x, _ in points}) >= 3):
            sys.exit(f"{solver['label']}: a growth of {len(points)} points is {solver['growth']}")
        if solver["growth"]:
            near(f"{solver['label']}.growth", solver["growth"]["base"], math.exp(slope(points)))
        for group, tally in zip(results["groups"], solver["groups"]):
            inside = [
                row for row in own
                if (row["best_known"] == "") == (group["lengths"] is None)
                and (row["best_known"] == "" or group["lengths"][0] <= int(row["best_known"]) <= group["lengths"][1])
            ]
            near(f"{solver['label']} in {group}", tally, recomputed(inside))

        # The same numbers in the page, the same texts on the terminal.
        for table in page.tables:
            section = table["caption"].removesuffix(" by solution length")
            tallies = solver["groups"] if section != table["caption"] else [solver["all"]]
            lines = [row for row in table["rows"] if row["name"] == solver["label"] and row["cells"]]
            if section not in ("solutions", *SECTIONS):
                continue
            for line, tally in zip(lines, tallies, strict=True):
                if section == "solutions":
                    said = [tally[key] for key in ("positions", "solved", "stopped")] + [tally["solutions"]["found"]]
                    said += [(tally["length"] or {}).get("mean")]
                    said += [tally[key] for key in ("proven", "shortest", "longer", "excess", "rate")]
                else:
                    spread = tally[SECTIONS[section]] or {}
                    said = [spread.get(key) for key in ("mean", "median", "p95", "max")]
                for head, (value, text), number in zip(table["heads"][1:], line["cells"], said, strict=True):
                    same(f"{solver['label']}, {table['caption']}, {head}", value, number)
                    if text not in terminal:
                        sys.exit(f"{solver['label']}, {table['caption']}, {head}: {text} is not on the terminal")
                    checked += 1
    for sentence in results["sentences"]["general"]:
        if sentence not in " ".join(terminal.split()):
            sys.exit(f"not on the terminal: {sentence}")
    print(f"{len(rows)} rows, {len(results['solvers'])} solvers, {checked} figures agree")


main(*sys.argv[1:])
