// Who solves: the service where one answers, else this browser.

import type { Engine } from "./engine";
import { reach } from "./remote";

export async function choose(): Promise<Engine> {
  const service = await reach();
  if (service) return service;
  const { Local } = await import("./local");
  return new Local();
}
