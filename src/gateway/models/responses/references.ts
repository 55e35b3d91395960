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
  for (let index = 0; index < items.length; ) {
    const [item = {}] = items.slice(index);
    const place = referenceOf(item);
    if (place === undefined) {
      plain.push(item);
      index++;
      continue;
    }
    flush();
    const found = await store.message(place, caller);
    const listed = found === undefined ? [] : listedItems(api, place.session, found.message);
    const used = sameAnswer(items.slice(index), listed);
    if (found === undefined || used.length === 0) {
      throw unservable(`/input/${index}`, `Item with id '${String(item["id"])}' not found.`);
    }
    messages.push(...partOf(api, found.message, listed, used));
    index += used.length;
  }
  flush();
  return messages;
}

function referenceOf({ type, id, role }: JsonObject): Place | undefined {
  const isReference = type === "item_reference" || (type == null && role === undefined);
  return isReference && typeof id === "string" ? placeOfItem(id) : undefined;
}

/**
 * The items of one answer at the beginning of an input: references to them, and repeated calls. The AI SDK refers to an
 * answer's reasoning and repeats its calls. Both belong to one answer, and a model that signs its thinking rejects a part of it.
 */
function sameAnswer(input: readonly JsonObject[], listed: readonly JsonObject[]): JsonObject[] {
  const used: JsonObject[] = [];
  for (const item of input) {
    const isReference = referenceOf(item) !== undefined;
    const { id, type, call_id: callId } = item;
    const match = listed.find((one) =>
      isReference
        ? one["id"] === id
        : callId !== undefined && one["call_id"] === callId && one["type"] === type,
    );
    if (match === undefined) break;
    used.push(match);
  }
  return used;
}

/** The whole message, with its signatures, if all of its items are used; otherwise those items. */
function partOf(
  api: Api,
  message: AgentMessage,
  listed: readonly JsonObject[],
  used: readonly JsonObject[],
): readonly AgentMessage[] {
  return new Set(used).size === listed.length ? [message] : messagesOf(api, used);
}
