#!/usr/bin/env bash
# Solves one position: moves on standard output, the summary on standard error.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

moves=$(untumble solve 15-puzzle 5 1 2 4 9 6 3 7 13 10 11 8 0 14 15 12)
echo "$moves"
expect "moves" "$(wc -w <<<"$moves" | tr -d ' ')" 9

# The format is recognised.
for position in "8 6 7 2 5 4 3 0 1" 8,6,7,2,5,4,3,0,1 "8 6 7/2 5 4/3 0 1" 867254301; do
    expect "$position" "$(untumble solve 8-puzzle "$position" --with bfs | wc -w | tr -d ' ')" 31
done
