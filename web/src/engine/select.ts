// Engine selection: the service if one answers, otherwise the engine in this browser.

import type { Engine } from "./engine";
import { connect } from "./remote";

export async function selectEngine(): Promise<Engine> {
  const service = await connect();
  if (service) return service;
  const { LocalEngine } = await import("./local");
  return new LocalEngine();
}
