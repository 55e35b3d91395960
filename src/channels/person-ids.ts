import type { Person } from "./types.js";

/** Every id that a platform has for a person. Whoever is named by one of them is named. */
export function idsOf({ id, otherIds = [] }: Person): readonly string[] {
  return [id, ...otherIds];
}
