import type { Person } from "./types.js";

/** All of a person's ids on a platform. */
export function idsOf({ id, otherIds = [] }: Person): readonly string[] {
  return [id, ...otherIds];
}
