import { hasShape } from "../../core/api/api-rules.js";
import type { Api } from "../../core/api/provider.js";
import { fnv1aHex } from "../../core/hash.js";
import type { CallRef, PairedCall, Pairs } from "../../core/message/pairs.js";
import { wholeText } from "../meaning/surrogates.js";
import { toolIdOf } from "../provider-rules/accepts.js";
import type { Item } from "./items.js";

/** A call's new id, and the code of the problem with the old one. */
export interface NewId {
  id: string;
  code: string;
}

/** New ids for the calls that need one: deterministic and unique. */
export function newIds(pairs: Pairs<Item>, api: Api | undefined): Map<CallRef<Item>, NewId> {
  const taken = new Set(pairs.calls.map(({ id }) => id));
  const given = new Map<CallRef<Item>, NewId>();
  /** How many variants of an id were tried; those stay taken. */
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

/** Lone surrogates are replaced later, which could make two ids equal. */
function acceptsId(id: string, api: Api): boolean {
  const shape = toolIdOf(api);
  if (shape !== undefined && !hasShape(id, shape)) return false;
  return api.rules.acceptsLoneSurrogates || wholeText(id) === id;
}

const HASH_LENGTH = 8;

/** The id itself if the API accepts it; else shortened, with a hash that keeps ids distinct. */
function fitted(id: string, api: Api | undefined): string {
  if (api === undefined || acceptsId(id, api)) return id;
  const { maxLength = Number.POSITIVE_INFINITY } = toolIdOf(api) ?? {};
  const readable = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, maxLength - HASH_LENGTH - 1);
  return `${readable}-${fnv1aHex(id)}`;
}
