import type { Api } from "../../../core/api/provider.js";
import type { JsonObject } from "../../../core/json/value.js";
import type { AgentMessage } from "../../../core/types.js";
import type { Caller } from "../../types.js";
import { unservable } from "../failure.js";
import { type Place, placeOfItem } from "./ids.js";
import { asItems, listedItems, messagesOf } from "./items.js";
import type { ResponseStore } from "./response-store.js";

/**
 * The messages of an input that refers to items of stored responses (`item_reference`); undefined if it does not. Items that
 * this gateway did not make stay as they are: the provider may know them.
 */
export async function resolveReferences(
  store: ResponseStore,
  api: Api,
  input: unknown,
  caller: Caller,
): Promise<readonly AgentMessage[] | undefined> {
  const items = asItems(input);
  if (items.every((item) => referenceOf(item) === undefined)) return undefined;
  const messages: AgentMessage[] = [];
  let plain: JsonObject[] = [];
  const flush = () => {
    if (plain.length > 0) messages.push(...messagesOf(api, plain));
    plain = [];
  };
  for (const { place, items: group, at } of groups(items)) {
    if (place === undefined) {
      plain.push(...group);
      continue;
    }
    flush();
    messages.push(...(await referenced(store, api, place, new Set(group.map(({ id }) => id)), at, caller)));
  }
  flush();
  return messages;
}

function referenceOf({ type, id, role }: JsonObject): Place | undefined {
  const isReference = type === "item_reference" || (type == null && role === undefined);
  return isReference && typeof id === "string" ? placeOfItem(id) : undefined;
}

interface Group {
  /** The message that all items of the group refer to; undefined for other items. */
  place: Place | undefined;
  items: JsonObject[];
  /** The index of the first. */
  at: number;
}

/** Consecutive references to the items of one message are one group. */
function groups(items: readonly JsonObject[]): Group[] {
  const found: Group[] = [];
  for (const [at, item] of items.entries()) {
    const place = referenceOf(item);
    const last = found.at(-1);
    const joins = last?.place?.session === place?.session && last?.place?.message === place?.message;
    if (last !== undefined && joins) last.items.push(item);
    else found.push({ place, items: [item], at });
  }
  return found;
}

/** The whole message, with its signatures, if all of its items are referred to; otherwise those items. */
async function referenced(
  store: ResponseStore,
  api: Api,
  place: Place,
  ids: ReadonlySet<unknown>,
  at: number,
  caller: Caller,
): Promise<readonly AgentMessage[]> {
  const found = await store.message(place, caller);
  const items = found === undefined ? [] : listedItems(api, found.session.id, found.message);
  const wanted = items.filter(({ id }) => ids.has(id));
  if (found === undefined || wanted.length < ids.size) {
    const known = new Set(wanted.map(({ id }) => id));
    const missing = [...ids].find((id) => !known.has(id));
    throw unservable(`/input/${at}`, `Item with id '${String(missing)}' not found.`);
  }
  return wanted.length === items.length ? [found.message] : messagesOf(api, wanted);
}
