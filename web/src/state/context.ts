// The session of the page, shared with all components by a Svelte context.

import { getContext, setContext } from "svelte";
import type { Session } from "./session.svelte";

const KEY = Symbol("session");

export const setSession = (session: Session): Session => setContext(KEY, session);
export const getSession = (): Session => getContext(KEY);

/** The context of a component that is rendered on its own. */
export const sessionContext = (session: Session): Map<unknown, unknown> => new Map([[KEY, session]]);
