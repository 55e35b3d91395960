import { isObject, type JsonObject } from "../../core/json/value.js";
import type { UserMessage } from "../../core/types.js";
import type { Agents } from "../../runtime/agents.js";
import { refuse } from "../refusals.js";
import type { HttpRequest, RefusedError } from "../types.js";

/** What a thread is made with. */
export interface ThreadBody {
  agent: string;
  title?: string;
  model?: string;
  tools?: string[];
  systemPrompt?: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A thread's id in its one spelling; undefined for what is no UUID. */
export function threadId(text: string): string | undefined {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}

export function threadIdOf({ params }: HttpRequest): string {
  const id = threadId(params["id"] ?? "");
  if (id === undefined) throw invalid("threadId", "must be a valid UUID");
  return id;
}

/** The body of a request that may do without one, with only these fields. */
export async function readBody(request: HttpRequest, fields: readonly string[]): Promise<JsonObject> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  const isEmpty = encoding === undefined && (length === undefined || length === "0");
  const body = isEmpty ? {} : await request.json();
  if (!isObject(body)) throw invalid("body", "must be an object");
  const unknown = Object.keys(body).find((name) => !fields.includes(name));
  if (unknown === undefined) return body;
  throw invalid(unknown, `is not known here; there are ${fields.join(", ")}`);
}

export async function readThreadBody(request: HttpRequest, agents: Agents): Promise<ThreadBody> {
  const body = await readBody(request, ["agent", "model", "tools", "systemPrompt", "title"]);
  const agent = optionalText(body, "agent") ?? "main";
  if (!agents.ids.includes(agent)) throw invalid("agent", `must be one of ${agents.ids.join(", ")}`);
  const model = optionalText(body, "model");
  if (model !== undefined && !/^[a-z0-9][a-z0-9-]*\/.+$/.test(model)) {
    throw invalid("model", "must be written as provider/model");
  }
  const tools = optionalNames(body, "tools");
  const known = await agents.toolsOf(agent);
  const missing = tools?.find((name) => !known.includes(name));
  if (missing !== undefined) throw invalid("tools", `may name ${known.join(", ")}; not ${missing}`);
  const systemPrompt = optionalText(body, "systemPrompt");
  const title = optionalText(body, "title");
  return {
    agent,
    ...(title === undefined ? {} : { title }),
    ...(model === undefined ? {} : { model }),
    ...(tools === undefined ? {} : { tools }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  };
}

/** A user's message; or another agent's, if its metadata say so: `{"role":"agent","senderId":"550e…","replyTo":"01J…"}`. */
export async function readMessage(request: HttpRequest, timestamp: number): Promise<UserMessage> {
  const { content, metadata = {} } = await readBody(request, ["content", "metadata"]);
  if (typeof content !== "string" || content === "") throw invalid("content", "must be a text");
  if (!isObject(metadata)) throw invalid("metadata", "must be an object");
  const { role = "user" } = metadata;
  const sender = optionalText(metadata, "sender");
  const message: UserMessage = {
    role: "user",
    content,
    timestamp,
    ...(sender === undefined ? {} : { sender }),
  };
  if (role === "agent") {
    const senderId = optionalText(metadata, "senderId");
    const replyTo = optionalText(metadata, "replyTo");
    if (senderId === undefined) throw invalid("metadata.senderId", "must say which thread the agent is in");
    return {
      ...message,
      sender: sender ?? senderId,
      ext: { agentMessage: { senderId, ...(replyTo === undefined ? {} : { replyTo }) } },
    };
  }
  if (role !== "user") throw invalid("metadata.role", "must be user or agent");
  // As the dialect keeps a field that only Timbal has: whoever follows the thread sees it.
  const hasMetadata = Object.keys(metadata).length > 0;
  return hasMetadata ? { ...message, ext: { timbal: { fields: { metadata } } } } : message;
}

function invalid(field: string, reason: string): RefusedError {
  return refuse("invalid_request", `${field} ${reason}`, { details: { field, reason } });
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
