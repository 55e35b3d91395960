import { type Clock, systemClock } from "../core/async/clock.js";

/** What a call needs of the world around it. Tests pass their own. */
export interface World extends Clock {
  fetch(url: string, init: RequestInit): Promise<Response>;
  env(name: string): string | undefined;
}

/** The real one. */
export const world: World = {
  ...systemClock,
  fetch: (url, init) => globalThis.fetch(url, init),
  env: (name) => globalThis.process?.env[name],
};
