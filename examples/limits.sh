#!/usr/bin/env bash
# Limits: exit code 5, with the incumbent and the lower bound.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

board="14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"

stopped() { # stopped REASON OPTIONS…
    local reason=$1 code=0 answer
    shift
    answer=$(untumble solve 24-puzzle "$board" --goal blank-first --json "$@") || code=$?
    echo "$answer"
    expect "exit code" "$code" 5
    expect "reason" "$(sed 's/.*"stop":"\([a-z]*\)".*/\1/' <<<"$answer")" "$reason"
}

stopped time --time 0.3
stopped nodes --nodes 1000000 --with ida+linear-conflict
stopped memory --memory 20M --with astar+manhattan

# A solver without a guarantee is done once it has a solution: exit code 0.
untumble solve 24-puzzle "$board" --goal blank-first --with layers
