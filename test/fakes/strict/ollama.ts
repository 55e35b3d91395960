import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../ollama.js";
import { bearerOf, type Received, type StrictApi, TURNS } from "./api.js";

function messagesOf({ messages }: JsonObject): JsonObject[] {
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function turnOf({ body }: Received): number {
  return messagesOf(body).filter(({ role }) => role === "assistant").length;
}

function line(request: Received, message: JsonObject, isLast: boolean): JsonObject {
  return {
    model: request.body["model"],
    created_at: "2026-01-01T00:00:00.000000Z",
    message: { role: "assistant", content: "", ...message },
    done: isLast,
    ...(isLast
      ? {
          done_reason: "stop",
          total_duration: 5,
          load_duration: 1,
          prompt_eval_count: 10,
          prompt_eval_duration: 2,
          eval_count: 5,
          eval_duration: 2,
        }
      : {}),
  };
}

function messageAt(turn: number): JsonObject {
  const thinking = `Step ${turn} — with care.`;
  if (turn >= TURNS) return { thinking, content: `Done after ${TURNS} calls.` };
  const fn = { index: 0, name: "lookup", arguments: { step: turn } };
  return { thinking, tool_calls: [{ id: `call_${turn}`, function: fn }] };
}

export const strictOllama: StrictApi = {
  model: "qwen3:8b",
  base: "",
  framing: "ndjson",
  keyOf: bearerOf,
  streams: ({ body }) => body["stream"] !== false,
  // Ollama signs nothing, and checks no pairs.
  refusal: ({ body }) => validateRequest(body),
  error: (message) => ({ error: message }),
  whole: (request) => line(request, messageAt(turnOf(request)), true),
  stream(request) {
    const { thinking, content = "", tool_calls } = messageAt(turnOf(request));
    const pieces = [{ thinking }, ...(tool_calls === undefined ? [{ content }] : [{ tool_calls }])];
    return [
      ...pieces.map((piece) => ({ data: line(request, piece, false) })),
      { data: line(request, {}, true) },
    ];
  },
};
