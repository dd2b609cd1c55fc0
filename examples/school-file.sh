#!/usr/bin/env bash
# An N-puzzle file of the 42 schools, whose goal is `snail`: 1 2 3 / 8 0 4 / 7 6 5.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

file=$(mktemp)
trap 'rm -f "$file"' EXIT
cat >"$file" <<'BOARD'
# This puzzle is solvable
3
3 2 6
1 4 0  # the gap
8 7 5
BOARD

moves=$(untumble solve 8-puzzle --file "$file" --goal snail)
echo "$moves"
untumble check 8-puzzle --file "$file" --goal snail --moves "$moves" | tail -1
expect "moves" "$(wc -w <<<"$moves" | tr -d ' ')" 15
