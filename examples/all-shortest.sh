#!/usr/bin/env bash
# Lists every optimal solution and checks that different algorithms agree on them.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

hardest="8 6 7 2 5 4 3 0 1"
all=$(untumble solve 8-puzzle "$hardest" --all --with bfs)
echo "$all"
for solver in bibfs astar+linear-conflict ida+walking parida+manhattan hda+manhattan; do
    expect "$solver" "$(untumble solve 8-puzzle "$hardest" --all --with "$solver")" "$all"
done
