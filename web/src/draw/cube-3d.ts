// The 3D cube, drawn by the TwistyPlayer of cubing.js. Loaded when the first cube is shown.

import { KTransformation } from "cubing/kpuzzle";
import { type ExperimentalMillisecondTimestamp, TwistyPlayer } from "cubing/twisty";
import { CubeRules } from "../puzzles/cube";
import { cubieTransformation } from "../puzzles/cubies";
import type { Board } from "../puzzles/rules";

export class CubePlayer {
  readonly element: TwistyPlayer;
  private readonly rules: CubeRules;
  /** Start position and moves that the player has loaded. */
  private loaded = "";
  private start: Board | null = null;
  private frame = 0;
  /** Time of the player in its own milliseconds. */
  private time = 0;
  /** Number of the latest call of `show`; earlier ones end at their next await. */
  private latestCall = 0;

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
    void this.makeOpaque();
  }

  private async makeOpaque(): Promise<void> {
    const cube = (await this.element.experimentalCurrentThreeJSPuzzleObject()) as {
      experimentalSetFoundationOpacity?: (opacity: number) => void;
    };
    cube.experimentalSetFoundationOpacity?.(1);
  }

  /**
   * Shows the position after `step` of the `moves` from `start`; a single turn is animated for `seconds`.
   */
  async show(start: Board, moves: readonly string[], step: number, seconds: number): Promise<void> {
    const call = ++this.latestCall;
    const model = this.element.experimentalModel;
    const target = cubieTransformation(this.rules, start);
    if (!target) return;
    const kpuzzle = await model.kpuzzle.get();
    if (call !== this.latestCall) return;
    const alg = moves.join(" ");
    const key = `${this.rules.format(start)} ${alg}`;
    const same = key === this.loaded;
    // If a single face turn leads from the last position to this one, animate that turn.
    const turn = same || moves.length > 0 || !this.start ? null : this.rules.moveBetween(this.start, start);
    if (!same) {
      const previous = turn && this.start ? cubieTransformation(this.rules, this.start) : null;
      this.loaded = key;
      this.start = start;
      model.setupTransformation.set(new KTransformation(kpuzzle, previous ?? target));
      this.element.alg = turn && previous ? turn : alg;
      if (turn) this.time = 0;
    }
    const indexer = await model.indexer.get();
    if (call !== this.latestCall) return;
    const targetTime =
      step >= moves.length ? indexer.algDuration() : indexer.indexToMoveStartTimestamp(step as never);
    const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const animate =
      !reducedMotion && (same || turn !== null) && Math.abs(targetTime - this.time) <= 2000 && seconds > 0;
    this.animateTo(targetTime, animate ? seconds : 0);
  }

  private animateTo(target: number, seconds: number): void {
    cancelAnimationFrame(this.frame);
    const [from, startTime] = [this.time, performance.now()];
    const tick = (): void => {
      const fraction = seconds > 0 ? Math.min(1, (performance.now() - startTime) / (1000 * seconds)) : 1;
      this.time = from + (target - from) * (fraction * (2 - fraction));
      this.element.timestamp = this.time as ExperimentalMillisecondTimestamp;
      if (fraction < 1) this.frame = requestAnimationFrame(tick);
    };
    tick();
  }

  destroy(): void {
    this.latestCall += 1;
    cancelAnimationFrame(this.frame);
    this.element.remove();
  }
}

export function hasWebGL(): boolean {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}
