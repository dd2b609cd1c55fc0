#!/usr/bin/env bash
# Balto's puzzle: solves a board by beam search, checks the solution and trains a ranking.
source "$(dirname "${BASH_SOURCE[0]}")/common.inc"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

untumble scramble balto-4 --seed 5 >"$folder/board"
answer=$(untumble solve balto-4 --file "$folder/board" --with beam:width=300)
echo "$answer"
expect "the side in front" "${answer%%:*}" 4
verdict=$(untumble check balto-4 --file "$folder/board" --moves "$answer" | tail -1)
expect "the answer" "${verdict%% *}" solved

untumble train balto-4 --budget 2 --width 50 --out "$folder/weights"
untumble solve balto-4 --file "$folder/board" --with "beam:width=300+learned:$folder/weights"
