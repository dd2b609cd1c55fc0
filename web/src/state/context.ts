import { getContext, setContext } from "svelte";
import type { Session } from "./session.svelte";

const KEY = Symbol("session");

export const provide = (session: Session): Session => setContext(KEY, session);
export const session = (): Session => getContext(KEY);
