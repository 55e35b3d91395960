import { isObject, type JsonObject } from "../../../src/core/json/value.js";
import { validateRequest } from "../ollama.js";
import { bearerOf, type Received, type StrictApi } from "./api.js";
import { objectsIn, offered, resultText, type Situation, type Turn } from "./script.js";

function situation({ body }: Received): Situation {
  const messages = objectsIn(body["messages"]);
  return {
    calls: messages.flatMap(({ tool_calls: calls }) => objectsIn(calls)).length,
    results: messages.flatMap(({ role, content }) => (role === "tool" ? [resultText(content)] : [])),
    tools: objectsIn(body["tools"]).flatMap(({ function: fn }) =>
      isObject(fn) ? [offered(fn["name"], fn["parameters"])] : [],
    ),
  };
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

function messageAt({ number, thinking, calls, text }: Turn): JsonObject {
  if (calls.length === 0) return { thinking, content: text };
  const tool_calls = calls.map(({ name, arguments: args }, index) => ({
    id: `call_${number + index}`,
    function: { index, name, arguments: args },
  }));
  return { thinking, tool_calls };
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
  situation,
  whole: (request, turn) => line(request, messageAt(turn), true),
  stream(request, turn) {
    const { thinking, content = "", tool_calls } = messageAt(turn);
    const pieces = [{ thinking }, ...(tool_calls === undefined ? [{ content }] : [{ tool_calls }])];
    return [
      ...pieces.map((piece) => ({ data: line(request, piece, false) })),
      { data: line(request, {}, true) },
    ];
  },
};
