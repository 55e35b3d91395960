import { defined } from "../../core/json/defined.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Runtime } from "../../runtime/runtime.js";
import { usableAgents } from "../auth/permit.js";
import { requireOffered } from "../offered-models.js";
import { refuse } from "../refusals.js";
import type { HttpRequest, RefusedError } from "../types.js";
import { threadId } from "./thread-id.js";

/** A thread's configuration. */
export interface ThreadBody {
  agent: string;
  title?: string;
  model?: string;
  tools?: string[];
  systemPrompt?: string;
}

export function threadIdOf({ params }: HttpRequest): string {
  const id = threadId(params["id"] ?? "");
  if (id === undefined) throw invalid("threadId", "must be a valid UUID");
  return id;
}

/** A request's body, which may be absent. */
export async function readObject(request: HttpRequest): Promise<JsonObject> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  const isEmpty = encoding === undefined && (length === undefined || length === "0");
  const body = isEmpty ? {} : await request.json();
  if (!isObject(body)) throw invalid("body", "must be an object");
  return body;
}

/** The same; refuses other fields. */
export async function readBody(request: HttpRequest, fields: readonly string[]): Promise<JsonObject> {
  const body = await readObject(request);
  const unknown = Object.keys(body).find((name) => !fields.includes(name));
  if (unknown === undefined) return body;
  throw invalid(unknown, `is unknown; the fields are ${fields.join(", ")}`);
}

export async function readThreadBody(request: HttpRequest, runtime: Runtime): Promise<ThreadBody> {
  const { agents } = runtime;
  const body = await readBody(request, ["agent", "model", "tools", "systemPrompt", "title"]);
  const agent = optionalText(body, "agent") ?? "main";
  const known = usableAgents(request.caller, agents.ids);
  if (!known.includes(agent)) throw invalid("agent", `must be one of ${known.join(", ")}`);
  const model = optionalText(body, "model");
  const isAlias = model !== undefined && Object.hasOwn(runtime.config.aliases ?? {}, model);
  if (model !== undefined && !isAlias && !/^[a-z0-9][a-z0-9-]*\/.+$/.test(model)) {
    throw invalid("model", "must be written as provider/model");
  }
  if (model !== undefined) requireOffered(runtime, request.caller, model);
  const tools = optionalNames(body, "tools");
  const granted = await agents.toolsOf(agent);
  const missing = tools?.find((name) => !granted.includes(name));
  if (missing !== undefined) throw invalid("tools", `may name ${granted.join(", ")}; not ${missing}`);
  const systemPrompt = optionalText(body, "systemPrompt");
  return defined({ agent, title: optionalText(body, "title"), model, tools, systemPrompt });
}

export function invalid(field: string, reason: string, hint?: string): RefusedError {
  return refuse("invalid_request", `${field} ${reason}`, { details: { field, reason, hint } });
}

export function optionalText(from: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(from, name) ? from[name] : undefined;
  if (value === undefined || typeof value === "string") return value;
  throw invalid(name, "must be a text");
}

function optionalNames(from: JsonObject, name: string): string[] | undefined {
  const value = Object.hasOwn(from, name) ? from[name] : undefined;
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  throw invalid(name, "must be a list of names");
}
