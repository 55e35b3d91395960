import { hasShape } from "../../core/api/api-rules.js";
import type { Api } from "../../core/api/provider.js";
import { fnv1aHex } from "../../core/hash.js";
import type { CallRef, PairedCall, Pairs } from "../../core/message/pairs.js";
import { wholeText } from "../meaning/surrogates.js";
import { toolIdOf } from "../provider-rules/accepts.js";
import type { Item } from "./items.js";

/** An id that a call is given, and the code of what was wrong with the one it had. */
export interface NewId {
  id: string;
  code: string;
}

/** The calls that need another id. The same input gives the same ids, and no two calls the same one. */
export function newIds(pairs: Pairs<Item>, api: Api | undefined): Map<CallRef<Item>, NewId> {
  const taken = new Set(pairs.calls.map(({ id }) => id));
  const given = new Map<CallRef<Item>, NewId>();
  /** How often an id was tried in other words; what was taken then is taken still. */
  const attempts = new Map<string, number>();
  for (const [index, call] of pairs.calls.entries()) {
    const wanted = namesFor(call, index, pairs, api);
    if (wanted === undefined) continue;
    const key = `${wanted.code} ${call.id === "" ? index : call.id}`;
    let attempt = attempts.get(key) ?? 0;
    let id: string;
    do id = wanted.name(++attempt);
    while (taken.has(id));
    attempts.set(key, attempt);
    taken.add(id);
    given.set(call.spot, { id, code: wanted.code });
  }
  return given;
}

function namesFor(call: PairedCall<Item>, index: number, pairs: Pairs<Item>, api: Api | undefined) {
  const shaped = (id: string) => fitted(id, api);
  if (call.id === "") {
    const name = (attempt: number) => (attempt === 1 ? `call_${index + 1}` : `call_${index + 1}-${attempt}`);
    return { code: "pairing/empty-id", name };
  }
  if (pairs.repeated.has(call.spot)) {
    return { code: "pairing/duplicate-id", name: (attempt: number) => shaped(`${call.id}-${attempt + 1}`) };
  }
  if (shaped(call.id) === call.id) return undefined;
  const name = (attempt: number) => shaped(attempt === 1 ? call.id : `${call.id}-${attempt}`);
  return { code: `${api?.dialect}/${api && toolIdOf(api) ? "tool-id" : "lone-surrogate"}`, name };
}

/** Half characters are replaced later, which could make one id of two. */
function acceptsId(id: string, api: Api): boolean {
  const shape = toolIdOf(api);
  if (shape !== undefined && !hasShape(id, shape)) return false;
  return api.rules.acceptsLoneSurrogates || wholeText(id) === id;
}

const HASH_LENGTH = 8;

/** The id itself if the API takes it. Cutting alone would make one id of many, so it ends with a hash of the whole. */
function fitted(id: string, api: Api | undefined): string {
  if (api === undefined || acceptsId(id, api)) return id;
  const { maxLength = Number.POSITIVE_INFINITY } = toolIdOf(api) ?? {};
  const readable = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxLength - HASH_LENGTH - 1);
  return `${readable}-${fnv1aHex(id)}`;
}
