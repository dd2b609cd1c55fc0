// The cube in 3D: cubing.js draws it, the page leads it. Loaded when the first cube is shown.

import { KTransformation } from "cubing/kpuzzle";
import { type ExperimentalMillisecondTimestamp, TwistyPlayer } from "cubing/twisty";
import { CubeRules } from "../puzzles/cube";
import { transformation } from "../puzzles/pieces";
import type { Board } from "../puzzles/rules";

export class Solid {
  readonly element: TwistyPlayer;
  private readonly rules: CubeRules;
  private moves = "";
  private start: Board | null = null;
  private frame = 0;
  private now = 0;
  private ticket = 0;

  constructor(size: number) {
    this.rules = new CubeRules(size);
    this.element = new TwistyPlayer({
      puzzle: size === 2 ? "2x2x2" : "3x3x3",
      visualization: "3D",
      background: "none",
      controlPanel: "none",
      hintFacelets: "none",
      viewerLink: "none",
    });
    this.element.setAttribute("aria-hidden", "true");
    void this.harden();
  }

  /** A body that one cannot see through. */
  private async harden(): Promise<void> {
    const body = (await this.element.experimentalCurrentThreeJSPuzzleObject()) as {
      experimentalSetFoundationOpacity?: (opacity: number) => void;
    };
    body.experimentalSetFoundationOpacity?.(1);
  }

  /** Shows the board that `moves` begin at, after `step` of them; a single step is turned within `seconds`. */
  async show(start: Board, moves: readonly string[], step: number, seconds: number): Promise<void> {
    const ticket = ++this.ticket;
    const model = this.element.experimentalModel;
    const data = transformation(this.rules, start);
    if (!data) return;
    const kpuzzle = await model.kpuzzle.get();
    if (ticket !== this.ticket) return;
    const alg = moves.join(" ");
    const before = `${this.rules.write(start)} ${alg}`;
    const same = before === this.moves;
    // A board that one turn leads to is reached by that turn.
    const turn = same || moves.length > 0 || !this.start ? null : this.rules.between(this.start, start);
    if (!same) {
      const from = turn && this.start ? transformation(this.rules, this.start) : null;
      this.moves = before;
      this.start = start;
      model.setupTransformation.set(new KTransformation(kpuzzle, from ?? data));
      this.element.alg = turn && from ? turn : alg;
      if (turn) this.now = 0;
    }
    const indexer = await model.indexer.get();
    if (ticket !== this.ticket) return;
    const moment = (step: number): number =>
      step >= moves.length ? indexer.algDuration() : indexer.indexToMoveStartTimestamp(step as never);
    const target = moment(step);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const near = !still && (same || turn !== null) && Math.abs(target - this.now) <= 2000 && seconds > 0;
    this.glide(target, near ? seconds : 0);
  }

  private glide(target: number, seconds: number): void {
    cancelAnimationFrame(this.frame);
    const [from, begun] = [this.now, performance.now()];
    const move = (): void => {
      const part = seconds > 0 ? Math.min(1, (performance.now() - begun) / (1000 * seconds)) : 1;
      this.now = from + (target - from) * (part * (2 - part));
      this.element.timestamp = this.now as ExperimentalMillisecondTimestamp;
      if (part < 1) this.frame = requestAnimationFrame(move);
    };
    move();
  }

  end(): void {
    this.ticket += 1;
    cancelAnimationFrame(this.frame);
    this.element.remove();
  }
}

/** Whether this browser can draw in three dimensions. */
export function possible(): boolean {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}
