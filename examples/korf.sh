#!/usr/bin/env bash
# Instance 79 of Korf (1985): IDA* with Manhattan distance generates exactly the published number of nodes.
# His instances begin with a number and have the goal `blank-first`.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

answer=$(untumble solve 15-puzzle --goal blank-first --with ida:bpmx=off+manhattan --json \
    <<<"79 0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15")
echo "$answer"
grep -q '"length":42,"optimal":true' <<<"$answer"
grep -q '"generated":540860,' <<<"$answer"
