import { joinUrl } from "../core/api/base-url.js";
import { defined } from "../core/json/defined.js";
import { isObject, type JsonObject } from "../core/json/value.js";
import { loadApi } from "../dialects/registry.js";
import { address, type EndpointSettings, keyFor, resolveEndpoint } from "./endpoints.js";
import { textOf } from "./payloads.js";
import type { World } from "./world.js";

/** A model in a provider's list. */
export interface ServedModel {
  id: string;
  /** Unix milliseconds. */
  created?: number;
  contextWindow?: number;
}

export interface ListSettings extends EndpointSettings {
  apiKey?: string;
  headers?: Readonly<Record<string, string | null>>;
}

/** The maximum size of a list. */
const MAX_BYTES = 8 * 2 ** 20;

/** Kinds of models that are not chat models. */
const OTHER_KINDS = new Set([
  "image",
  "embedding",
  "embeddings",
  "moderation",
  "rerank",
  "audio",
  "video",
  "transcribe",
]);

/**
 * The models in a provider's own list; undefined if we cannot read a list from its API. Throws if there is no key or no
 * answer.
 */
export async function listServed(
  provider: string,
  settings: ListSettings,
  world: Pick<World, "env" | "fetch">,
  signal: AbortSignal,
): Promise<ServedModel[] | undefined> {
  const endpoint = resolveEndpoint(provider, settings, world.env);
  const api = await loadApi(endpoint.api);
  const { list } = api.address;
  // Hosts have no model list of the API's form.
  if (list === undefined || endpoint.host !== undefined || endpoint.baseUrl.includes("{model}"))
    return undefined;
  const key = keyFor(provider, endpoint, settings.apiKey, world.env);
  const { headers } = address(api, endpoint, "", key, settings.headers);
  const url = joinUrl(endpoint.baseUrl, list, "");
  // A redirect would carry the key to an address that was not configured.
  const response = await world.fetch(url, { headers, signal, redirect: "manual" });
  if (!response.ok) return [];
  return readList(JSON.parse(await textOf(response, MAX_BYTES)));
}

/** Reads `{data: [{id, created}]}`, `{models: [{model, modified_at}]}`, or only the list. */
export function readList(body: unknown): ServedModel[] {
  const entries = isObject(body) ? (body["data"] ?? body["models"]) : body;
  return (Array.isArray(entries) ? entries : []).filter(isObject).flatMap(readEntry);
}

function readEntry(entry: JsonObject): ServedModel[] {
  const { id, model, name, type, capabilities } = entry;
  const named = [id, model, name].find((value) => typeof value === "string" && value !== "");
  const isOther =
    (typeof type === "string" && OTHER_KINDS.has(type)) ||
    (isObject(capabilities) && capabilities["completion_chat"] === false);
  if (typeof named !== "string" || isOther) return [];
  const windows = [entry["context_length"], entry["context_window"], entry["max_model_len"]];
  return [defined({ id: named, created: timeOf(entry), contextWindow: windows.find(isCount) })];
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function timeOf({ created, modified_at }: JsonObject): number | undefined {
  if (isCount(created)) return created * 1000;
  const time = typeof modified_at === "string" ? Date.parse(modified_at) : Number.NaN;
  return time > 0 ? time : undefined;
}
