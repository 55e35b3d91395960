import { checkOptionTypes, optionContainers, optionPlace } from "../../core/api/option-table.js";
import type { Api, CallOptions } from "../../core/api/provider.js";
import { joinPointer, resolvePointer } from "../../core/json/pointer.js";
import { isObject, type JsonObject, sameJson } from "../../core/json/value.js";
import { asciiJson } from "../../core/json/visible.js";
import type { Loss } from "../../core/types.js";
import { unservable } from "./failure.js";
import type { Family } from "./family.js";
import { toolsIn } from "./tool-places.js";

/** Refuses a request with fields that only a model with the same API supports. */
export function checkEssentials({ essential }: Family, body: JsonObject, why: string): void {
  for (const [at, nothing] of Object.entries(essential)) {
    const value = resolvePointer(body, at);
    if (value === undefined || value === null || sameJson(value, nothing)) continue;
    throw unservable(at, `"${at.slice(1)}" cannot be served: ${why}`);
  }
}

/** Refuses a request that its own API would also refuse. */
export function checkRequest({ api, roles, list, required = [] }: Family, body: JsonObject): void {
  checkOptionTypes(api.options, body);
  const missing = required.find((field) => body[field] === undefined || body[field] === null);
  if (missing !== undefined) throw unservable(`/${missing}`, `the API requires "${missing}"`);
  const messages = body[list];
  if (!Array.isArray(messages)) return;
  if (messages.length === 0) throw unservable(`/${list}`, `"${list}" is empty; send at least one message`);
  for (const [index, message] of messages.entries()) {
    const role = isObject(message) ? message["role"] : undefined;
    if (typeof role !== "string" || roles.includes(role)) continue;
    const known = roles.map((one) => `"${one}"`).join(", ");
    throw unservable(
      `/${list}/${index}/role`,
      `${JSON.stringify(role)} is not a role of this API (${known})`,
    );
  }
}

/** The options for a model with another API, and the losses of the request. */
export function carryOver(
  family: Family,
  body: JsonObject,
  options: CallOptions,
  why: string,
): { options: CallOptions; losses: Loss[] } {
  checkEssentials(family, body, why);
  const { options: common, losses } = commonOptions(family, body, options);
  const tools = providerTools(family, body);
  const [first] = tools;
  // The request requires a call of one of these tools, and there are no others.
  const isOnly = toolsIn(family, body).length === tools.length;
  if (first !== undefined && isOnly && common.toolChoice === "any") {
    throw unservable(first.at, `the required tool call cannot be served: ${first.why}`);
  }
  return { options: common, losses: [...tools, ...losses] };
}

/** The tools that only the client's provider runs, as losses. */
export function providerTools(family: Family, body: JsonObject): Loss[] {
  return toolsIn(family, body).flatMap(({ tool, at }): Loss[] => {
    if (family.isFunction(tool)) return [];
    const name = typeof tool["type"] === "string" ? tool["type"] : Object.keys(tool).join(", ");
    const why = "its provider runs it, and this model has another provider";
    return [{ at, what: `the tool ${name}`, why, severity: "dropped" }];
  });
}

/** The common options, and the losses of the others. */
function commonOptions(
  { api, essential, fulfilled = {}, kept = [] }: Family,
  body: JsonObject,
  options: CallOptions,
): { options: CallOptions; losses: Loss[] } {
  const { extra = {}, form: _, ...common } = options;
  const containers = optionContainers(api.options);
  const why = `it is not translated from ${api.dialect} to other APIs`;
  const losses = unreadFields(extra, containers).filter(({ at }) => {
    const value = resolvePointer(body, at);
    const isNothing = value === undefined || value === null || sameJson(value, fulfilled[at]);
    return !isNothing && !(at in essential) && !kept.includes(at) && !at.startsWith("/tools");
  });
  return { options: common, losses: losses.map(({ at, what }) => ({ at, what, why, severity: "dropped" })) };
}

/** The fields of an object; for objects that contain options, their fields. */
function unreadFields(
  fields: JsonObject,
  containers: ReadonlySet<string>,
  base = "",
): { at: string; what: string }[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const at = joinPointer(base, key);
    return containers.has(at) && isObject(value) ? unreadFields(value, containers, at) : [{ at, what: key }];
  });
}

/** Losses with pointers to the client's fields: `/options/stop` becomes `/generationConfig/stopSequences`. */
export function placeLosses({ options }: Api, body: JsonObject, losses: readonly Loss[]): Loss[] {
  return losses.map((loss) => {
    const [, name = ""] = /^\/options\/(\w+)/.exec(loss.at) ?? [];
    const place = optionPlace(options, name, body);
    return place === undefined ? loss : { ...loss, at: place.replace(/\/(?:type|mode)$/, "") };
  });
}

/** The losses of a request to an agent, which has its own settings. */
export function ownSettings(family: Family, body: JsonObject, options: CallOptions, why: string): Loss[] {
  const { options: common, losses } = commonOptions(family, body, options);
  const { cache: _, ...given } = common;
  return [...placeLosses(family.api, body, droppedFields("/options", given, why)), ...losses];
}

/** A loss for each field of an object. */
function droppedFields(base: string, fields: object, why: string): Loss[] {
  return Object.keys(fields).map((field) => ({
    at: joinPointer(base, field),
    what: field,
    why,
    severity: "dropped",
  }));
}

/** Clients accept about 16 KB of headers in total. */
const LONGEST_HEADER = 4000;

/** The losses as a header, in ASCII; only the first ones if there are many. */
export function lossHeader(losses: readonly Loss[]): Record<string, string> {
  if (losses.length === 0) return {};
  let length = 0;
  const texts = losses.map(asciiJson);
  const shown = texts.filter((text) => {
    length += text.length + 1;
    return length < LONGEST_HEADER;
  });
  return { "x-dragoman-losses": `[${shown.join(",")}]` };
}
