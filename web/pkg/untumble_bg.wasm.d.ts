/* tslint:disable */
/* eslint-disable */
export const memory: WebAssembly.Memory;
export const apply: (a: number, b: number, c: number, d: number) => [number, number, number, number];
export const check: (a: number, b: number, c: number, d: number) => [number, number, number, number];
export const describe: (a: number, b: number, c: number, d: number) => [number, number, number, number];
export const puzzles: () => [number, number];
export const scramble: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
export const solve: (a: number, b: number, c: any) => [number, number];
export const start: () => void;
export const __wbindgen_exn_store: (a: number) => void;
export const __externref_table_alloc: () => number;
export const __wbindgen_externrefs: WebAssembly.Table;
export const __wbindgen_malloc: (a: number, b: number) => number;
export const __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
export const __wbindgen_free: (a: number, b: number, c: number) => void;
export const __externref_table_dealloc: (a: number) => void;
export const __wbindgen_start: () => void;
