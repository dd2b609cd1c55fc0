#!/usr/bin/env bash
# Generates positions and solves them through a pipe; the same seed gives the same positions.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

boards=$(untumble scramble 15-puzzle --count 10 --seed 7)
expect "first board" "$(head -1 <<<"$boards")" "10 12 2 9 7 8 13 5 0 1 3 4 6 15 14 11"

answers=$(untumble solve 15-puzzle --json <<<"$boards")
echo "$answers"
expect "optimal" "$(grep -c '"optimal":true' <<<"$answers")" 10
