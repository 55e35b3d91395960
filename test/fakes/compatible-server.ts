import { isObject, type JsonObject } from "../../src/core/json/value.js";
import { formatSse } from "../../src/framing/sse-format.js";
import { validateRequest } from "./openai-chat.js";

/** How a server differs from the API of OpenAI, as it shows to a client. */
export interface ServerRules {
  url: string;
  /** The header with the key; absent where none is needed. */
  key?: { header: string; value: string };
  /** Fields of a request that it refuses. */
  refuses?: readonly string[];
  /** Fields of an answer in the history that it accepts beside OpenAI's. */
  answerFields?: readonly string[];
  /** Whether a part of an answer's content may be thinking. */
  thinkingParts?: boolean;
  callId?: RegExp;
  acceptsEmptyTools?: boolean;
}

/** A server that speaks Chat Completions its own way: it refuses what the real one refuses, and answers the same text. */
export function compatibleServer(
  rules: ServerRules,
  deltas: readonly JsonObject[] = [{ content: "Hello." }],
) {
  const requests: JsonObject[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const body: unknown = JSON.parse(String(init.body));
    const refusal = refusalOf(rules, url, new Headers(init.headers), body);
    if (refusal !== undefined) return Response.json({ error: { message: refusal.why } }, refusal);
    if (isObject(body)) requests.push(body);
    const chunks = [
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    ];
    const text = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
      .map((data) => formatSse({ data }))
      .join("");
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  };
  return { fetch, requests };
}

function refusalOf(
  rules: ServerRules,
  url: string,
  headers: Headers,
  body: unknown,
): { status: number; why: string } | undefined {
  if (url !== rules.url) return { status: 404, why: `nothing at ${url}` };
  const { key } = rules;
  if (key !== undefined && headers.get(key.header) !== key.value) return { status: 401, why: "wrong key" };
  if (key === undefined && headers.has("authorization")) return { status: 401, why: "no key is wanted" };
  const why = bodyRefusal(rules, isObject(body) ? body : {});
  return why === undefined ? undefined : { status: 422, why };
}

function bodyRefusal(rules: ServerRules, body: JsonObject): string | undefined {
  const { refuses = [], callId, answerFields = [], acceptsEmptyTools = true } = rules;
  const field = Object.keys(body).find((name) => refuses.includes(name));
  if (field !== undefined) return `extra_forbidden: body.${field}`;
  if (!acceptsEmptyTools && Array.isArray(body["tools"]) && body["tools"].length === 0) {
    return "extra_forbidden: body.tools";
  }
  const messages = Array.isArray(body["messages"]) ? body["messages"].filter(isObject) : [];
  const ids = messages.flatMap(({ tool_calls, tool_call_id }) => [
    ...(Array.isArray(tool_calls) ? tool_calls.filter(isObject).map(({ id }) => String(id)) : []),
    ...(tool_call_id === undefined ? [] : [String(tool_call_id)]),
  ]);
  const wrong = ids.find((id) => callId !== undefined && !callId.test(id));
  if (wrong !== undefined) return `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`;
  return validateRequest({ ...body, messages: messages.map((one) => plain(one, rules)) }, answerFields);
}

/** Without the parts that OpenAI does not know and this server does. */
function plain(message: JsonObject, { thinkingParts }: ServerRules): JsonObject {
  const { role, content } = message;
  if (thinkingParts !== true || role !== "assistant" || !Array.isArray(content)) return message;
  const rest = content.filter((part) => !isObject(part) || part["type"] !== "thinking");
  return { ...message, content: rest.length === 0 ? null : rest };
}
