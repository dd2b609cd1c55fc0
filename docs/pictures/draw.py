#!/usr/bin/env python3
"""Draws docs/pictures/solve.svg: a command of the README, its output, and the board as an animation.

    UNTUMBLE=target/release/untumble docs/pictures/draw.py > docs/pictures/solve.svg
"""

import os
import subprocess

POSITION = "0 3 6 8 2 12 9 4 5 1 11 15 14 7 13 10"
SIDE = 4
CELL = 46
WAIT, STEP, SLIDE, REST = 1.5, 0.34, 0.26, 4.0  # seconds

run = subprocess.run(
    [os.environ.get("UNTUMBLE", "untumble"), "solve", "15-puzzle", POSITION],
    capture_output=True, text=True, check=True,
)
moves = run.stdout.split()
choice, summary = run.stderr.splitlines()
verdict, *more = summary.split(" · ")[:3]  # without the time for tables
total = WAIT + STEP * len(moves) + REST

HOME, AWAY = "#2f9e63", "#3b4a66"
SOURCE = {"L": 1, "R": -1, "U": SIDE, "D": -SIDE}  # offset from the blank to the tile that slides


def percent(seconds):
    return f"{100 * seconds / total:.2f}%"


def look(tile, cell):
    fill = HOME if cell == tile - 1 else AWAY
    return f"transform:translate({cell % SIDE * CELL}px,{cell // SIDE * CELL}px);fill:{fill}"


board = [int(tile) for tile in POSITION.split()]
start = list(board)
frames = {tile: [("0%", look(tile, cell))] for cell, tile in enumerate(board) if tile}
for number, move in enumerate(moves):
    blank = board.index(0)
    cell = blank + SOURCE[move]
    tile = board[cell]
    begun = WAIT + STEP * number
    frames[tile].append((percent(begun), look(tile, cell)))
    frames[tile].append((percent(begun + SLIDE), look(tile, blank)))
    board[blank], board[cell] = tile, 0
assert board == [*range(1, SIDE * SIDE), 0], "the moves solve it"
for cell, tile in enumerate(board):
    if tile:
        frames[tile].append((percent(total - 0.6), look(tile, cell)))

css, tiles, keys = [], [], []
for tile, steps in frames.items():
    css.append(f"@keyframes t{tile}{{" + "".join(f"{at}{{{how}}}" for at, how in steps) + "}")
    first = look(tile, start.index(tile))
    css.append(f"#t{tile}{{{first};animation:t{tile} {total:.2f}s ease-in-out infinite}}")
    tiles.append(
        f'<g id="t{tile}"><rect x="2" y="2" width="{CELL - 4}" height="{CELL - 4}" rx="7"/>'
        f'<text x="{CELL / 2}" y="{CELL / 2 + 6}" class="n">{tile}</text></g>'
    )
PER_ROW = 14
for number, move in enumerate(moves):
    x, y = 290 + number % PER_ROW * 40, 106 + number // PER_ROW * 46
    at = WAIT + STEP * number
    css.append(
        f"@keyframes k{number}{{0%,{percent(at)}{{opacity:.28}}"
        f"{percent(at + 0.1)},{percent(total - 0.6)}{{opacity:1}}}}"
        f"#k{number}{{animation:k{number} {total:.2f}s linear infinite}}"
    )
    keys.append(
        f'<g id="k{number}"><rect x="{x}" y="{y}" width="32" height="32" rx="6" class="key"/>'
        f'<text x="{x + 16}" y="{y + 21}" class="m">{move}</text></g>'
    )

NL = "\n"
print(f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 366" role="img" aria-labelledby="what">
<title id="what">untumble solves a 15-puzzle in {len(moves)} moves, optimal</title>
<style>
text{{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
font-size:12.5px;fill:#d7deea}}
.dim{{fill:#8b97ab}}.good{{fill:#5fd39a}}
.n{{font-size:17px;font-weight:600;text-anchor:middle;fill:#fff}}
.m{{font-size:15px;font-weight:600;text-anchor:middle}}.key{{fill:#26324a;stroke:#44557a}}
{NL.join(css)}
@media (prefers-reduced-motion:reduce){{g{{animation:none!important}}}}
</style>
<rect width="880" height="366" rx="12" fill="#151c2b"/>
<circle cx="22" cy="20" r="5.5" fill="#f26d6d"/><circle cx="41" cy="20" r="5.5" fill="#f2c14e"/>
<circle cx="60" cy="20" r="5.5" fill="#5fd39a"/>
<text x="24" y="62"><tspan class="good">$</tspan> untumble solve 15-puzzle {POSITION}</text>
<g transform="translate(24,84)">
<rect x="-4" y="-4" width="{SIDE * CELL + 8}" height="{SIDE * CELL + 8}" rx="10" fill="#0d1320"/>
{NL.join(tiles)}
</g>
{NL.join(keys)}
<text x="24" y="304" class="dim">{choice}</text>
<text x="24" y="325">{" ".join(moves)}</text>
<text x="24" y="346" class="dim"><tspan class="good">{verdict}</tspan> · {" · ".join(more)}</text>
</svg>""")
