import { isObject } from "../core/json/value.js";
import type { AgentMessage } from "../core/types.js";

export interface Difference {
  /** Path into the message. */
  path: (string | number)[];
  kind: "missing" | "changed" | "extra";
}

/** Where `back` is not what `source` was. What is missing whole is named once, not field by field. */
export function differences(source: unknown, back: unknown): Difference[] {
  if (source === back) return [];
  const found: Difference[] = [];
  walk(source, back, [], found);
  return found;
}

function walk(source: unknown, back: unknown, path: (string | number)[], found: Difference[]): void {
  if (source === back) return;
  if (source === undefined) found.push({ path, kind: "extra" });
  else if (back === undefined) found.push({ path, kind: "missing" });
  else if (Array.isArray(source) && Array.isArray(back)) {
    const length = Math.max(source.length, back.length);
    for (let index = 0; index < length; index++) {
      if (source[index] !== back[index]) walk(source[index], back[index], [...path, index], found);
    }
  } else if (isObject(source) && isObject(back)) {
    for (const key of Object.keys(source)) {
      if (own(source, key) !== own(back, key)) walk(own(source, key), own(back, key), [...path, key], found);
    }
    for (const key of Object.keys(back)) {
      if (!Object.hasOwn(source, key)) walk(undefined, back[key], [...path, key], found);
    }
  } else found.push({ path, kind: "changed" });
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** For each source message, the index of the one it came back as: the next one of its role, if any. */
export function align(source: readonly AgentMessage[], back: readonly AgentMessage[]): (number | undefined)[] {
  let next = 0;
  return source.map((message) => {
    const at = back.findIndex((other, index) => index >= next && other.role === message.role);
    if (at < 0) return undefined;
    next = at + 1;
    return at;
  });
}
