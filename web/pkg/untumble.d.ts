/* tslint:disable */
/* eslint-disable */

/**
 * Applies moves to a position: `POST /puzzles/{puzzle}/apply`.
 */
export function apply(puzzle: string, request: string): string;

/**
 * Checks a position: `POST /puzzles/{puzzle}/check`.
 */
export function check(puzzle: string, request: string): string;

/**
 * A puzzle and its solvers: `GET /puzzles/{puzzle}`. `settings` is `{goal?, metric?}`.
 */
export function describe(puzzle: string, settings: string): string;

/**
 * The puzzle families: `GET /puzzles`.
 */
export function puzzles(): string;

/**
 * Random positions: `POST /puzzles/{puzzle}/scramble`. `seed` is used if the request has none.
 */
export function scramble(puzzle: string, request: string, seed: number): string;

/**
 * Solves positions: `POST /jobs`. Returns when all searches have ended. Until then, `on_event` is called
 * with each event of `GET /jobs/{id}/events` as `{"event": …, "data": …}`; returning `true` cancels the
 * search.
 */
export function solve(request: string, on_event: Function): void;

/**
 * Logs panics, which end the engine, to the console.
 */
export function start(): void;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly apply: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly check: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly describe: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly puzzles: () => [number, number];
    readonly scramble: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly solve: (a: number, b: number, c: any) => [number, number];
    readonly start: () => void;
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
