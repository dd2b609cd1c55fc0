// The session of the page, shared with all components by a Svelte context.

import { getContext, setContext } from "svelte";
import type { Session } from "./session.svelte";

const KEY = Symbol("session");

export const setSession = (session: Session): Session => setContext(KEY, session);
export const getSession = (): Session => getContext(KEY);
