import { isObject, type JsonObject, own } from "../core/json/value.js";
import type { AgentMessage } from "../core/types.js";

export interface Difference {
  /** Path into the message. */
  path: (string | number)[];
  kind: "missing" | "changed" | "extra";
}

type Path = (string | number)[];

/** Where `back` differs from `source`. A missing object is one difference, not one for each field. */
export function differences(source: unknown, back: unknown): Difference[] {
  if (source === back) return [];
  const found: Difference[] = [];
  walk(source, back, [], found);
  return found;
}

/** `path` leads to both; it is changed while members are compared, and copied for each difference. */
function walk(source: unknown, back: unknown, path: Path, found: Difference[]): void {
  if (source === back) return;
  if (source === undefined) found.push({ path: path.slice(), kind: "extra" });
  else if (back === undefined) found.push({ path: path.slice(), kind: "missing" });
  else if (Array.isArray(source) && Array.isArray(back)) walkList(source, back, path, found);
  else if (isObject(source) && isObject(back)) walkObject(source, back, path, found);
  else found.push({ path: path.slice(), kind: "changed" });
}

function walkObject(source: JsonObject, back: JsonObject, path: Path, found: Difference[]): void {
  for (const key in source) {
    // An inherited member never equals a JSON value, so it needs no `own` in this fast comparison.
    if (source[key] !== back[key]) walkMember(source[key], own(back, key), key, path, found);
  }
  for (const key in back) {
    if (!Object.hasOwn(source, key)) walkMember(undefined, back[key], key, path, found);
  }
}

function walkMember(
  source: unknown,
  back: unknown,
  key: string | number,
  path: Path,
  found: Difference[],
): void {
  path.push(key);
  walk(source, back, path, found);
  path.pop();
}

/** Members after a missing one are still compared with their own counterparts. */
function walkList(
  source: readonly unknown[],
  back: readonly unknown[],
  path: Path,
  found: Difference[],
): void {
  let next = 0;
  const ids = source.length > back.length ? new Set(source.map(idOf)) : undefined;
  for (let index = 0; index < source.length; index++) {
    const member = source[index];
    const isGone = source.length - index > back.length - next && !isAlike(member, back[next], ids);
    if (isGone) found.push({ path: [...path, index], kind: "missing" });
    else walkMember(member, back[next++], index, path, found);
  }
  for (; next < back.length; next++) found.push({ path: [...path, next], kind: "extra" });
}

/** Blocks of the same type are alike, unless one has the id of another member of the source. */
function isAlike(member: unknown, other: unknown, ids: ReadonlySet<unknown> = new Set()): boolean {
  if (!isObject(member) || !isObject(other)) return member === other;
  const isAnother = idOf(member) !== idOf(other) && idOf(other) !== undefined && ids.has(idOf(other));
  return member["type"] === other["type"] && !isAnother;
}

function idOf(member: unknown): unknown {
  return isObject(member) ? member["id"] : undefined;
}

/** For each source message, the index of its counterpart: the next message of its role, if that one fits. */
export function align(
  source: readonly AgentMessage[],
  back: readonly AgentMessage[],
  fits: (source: AgentMessage, back: AgentMessage) => boolean = () => true,
): (number | undefined)[] {
  if (source.length === 1 && back.length === 1) return [source[0]?.role === back[0]?.role ? 0 : undefined];
  const byRole = new Map<string, number[]>();
  for (let index = back.length - 1; index >= 0; index--) {
    const role = back[index]?.role ?? "";
    const indexes = byRole.get(role);
    if (indexes === undefined) byRole.set(role, [index]);
    else indexes.push(index);
  }
  let next = 0;
  return source.map((message) => {
    const indexes = byRole.get(message.role) ?? [];
    let at = indexes.pop();
    while (at !== undefined && at < next) at = indexes.pop();
    const partner = back[at ?? -1];
    if (at === undefined || partner === undefined) return undefined;
    if (!fits(message, partner)) {
      indexes.push(at);
      return undefined;
    }
    next = at + 1;
    return at;
  });
}
