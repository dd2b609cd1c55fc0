#!/usr/bin/env bash
# Cubes: moves and stickers as input, impossible pieces, solutions in the given orientation.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

expect "pocket cube" "$(untumble solve cube2 "R U2 F'")" "F U2 R'"
expect "rotated while turning" "$(untumble solve cube3 "x R U")" "U' R'"
length=$(untumble solve cube3 "R2 U" --metric qtm --json | sed 's/.*"length":\([0-9]*\).*/\1/')
expect "quarter turns" "$length" 3

# The corner at UFR is unknown; the others determine it.
whole=UFUFRRRRFDFDDBDBLLLLUBUB
solution=$(untumble solve cube2 "$whole")
expect "unknown stickers" "$(untumble solve cube2 UFU..RRRF.FDDBDBLLLLUBUB)" "$solution"

# Two exchanged stickers make an impossible corner (3); a twisted corner is unsolvable (4).
code=0
untumble check cube2 RUUUURRRFFFFDDDDLLLLBBBB || code=$?
expect "impossible corner" "$code" 3
code=0
untumble check cube3 UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB || code=$?
expect "twisted corner" "$code" 4
