import type { CallOptions } from "../../core/api/provider.js";
import { joinPointer, resolvePointer } from "../../core/json/pointer.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { unservable } from "./failure.js";
import type { Family } from "./family.js";

/** Refuses a request that asks for something which only a model that is spoken to in the same API could give. */
export function checkEssentials({ essential, isFunction }: Family, body: JsonObject, why: string): void {
  for (const [at, nothing] of Object.entries(essential)) {
    const value = resolvePointer(body, at);
    if (value === undefined || value === null || JSON.stringify(value) === JSON.stringify(nothing)) continue;
    throw unservable(at, `"${at.slice(1)}" cannot be served: ${why}`);
  }
  const tools: unknown[] = Array.isArray(body["tools"]) ? body["tools"] : [];
  for (const [index, tool] of tools.entries()) {
    if (isObject(tool) && !isFunction(tool)) {
      throw unservable(`/tools/${index}`, `a tool that the provider runs cannot be served: ${why}`);
    }
  }
}

/** The options that every model understands, and what is lost of the others. */
export function commonOptions(options: CallOptions, why: string): { options: CallOptions; losses: Loss[] } {
  const { extra = {}, form: _, ...common } = options;
  return { options: common, losses: droppedFields("", extra, why) };
}

/** A loss for each field of an object. */
export function droppedFields(base: string, fields: object, why: string): Loss[] {
  return Object.keys(fields).map((field) => ({
    at: joinPointer(base, field),
    what: field,
    why,
    severity: "dropped",
  }));
}

/** Clients take headers of 16 KB in all. */
const LONGEST_HEADER = 4000;

/** Losses for a header, which holds ASCII only; the first ones, should there be many. */
export function lossHeader(losses: readonly Loss[]): Record<string, string> {
  if (losses.length === 0) return {};
  let length = 0;
  const texts = losses.map((loss) => ascii(JSON.stringify(loss)));
  const shown = texts.filter((text) => {
    length += text.length + 1;
    return length < LONGEST_HEADER;
  });
  return { "x-dragoman-losses": `[${shown.join(",")}]` };
}

function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
