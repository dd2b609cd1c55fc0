#!/usr/bin/env bash
# Checks a position and replays moves on it step by step.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

report=$(untumble check 8-puzzle 1 2 3 4 5 6 0 7 8 --moves "L L")
echo "$report"
expect "verdict" "$(tail -1 <<<"$report")" "solved after 2 moves"

# `check` confirms the solution of `solve`.
board=$(untumble scramble 8-puzzle --seed 3)
moves=$(untumble solve 8-puzzle "$board")
untumble check 8-puzzle "$board" --moves "$moves" --json | grep '"solves":true'

# Loyd's 14-15 puzzle is unsolvable: exit code 4.
code=0
untumble check 15-puzzle 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0 || code=$?
expect "exit code" "$code" 4
