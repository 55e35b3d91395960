import { cut, sourceText } from "./source-text.js";

const DELTA_BYTES = 20;

/** The kind of answer: text, or one tool call with the text as an argument. */
export type Kind = "tool-call" | "text";
export type StreamedApi = "anthropic" | "openai-chat";

/**
 * The streamed answer of a server with this API, in deltas of 20 bytes.
 *
 * @param path `/<api>/<kind>/<size>/…`, where `size` is the length of the text
 */
export function providerStream(path: string): string {
  const [, api, kind, size] = path.split("/");
  const text = sourceText(Number(size));
  const isText = kind === "text";
  const whole = isText ? text : JSON.stringify({ path: "src/load.ts", line: 1, overwrite: true, text });
  const deltas = cut(whole, DELTA_BYTES);
  return (api === "anthropic" ? anthropic(isText, deltas) : chat(isText, deltas)).join("");
}

function anthropic(isText: boolean, deltas: string[]): string[] {
  const block = isText
    ? { type: "text", text: "" }
    : { type: "tool_use", id: "toolu_01A09q90qw90lq917835lq9", name: "write", input: {} };
  const events = [
    { type: "message_start", message: anthropicMessage },
    { type: "content_block_start", index: 0, content_block: block },
    ...deltas.map((delta) => ({
      type: "content_block_delta",
      index: 0,
      delta: isText ? { type: "text_delta", text: delta } : { type: "input_json_delta", partial_json: delta },
    })),
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: isText ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { output_tokens: deltas.length },
    },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function chat(isText: boolean, deltas: string[]): string[] {
  const call = { name: "write", arguments: "" };
  const usage = { prompt_tokens: 80, completion_tokens: deltas.length, total_tokens: 80 + deltas.length };
  const chunks = [
    isText
      ? choice({ role: "assistant", content: "", refusal: null })
      : choice({
          role: "assistant",
          content: null,
          tool_calls: [{ index: 0, id: "call_DdmO9pD3xa9XTPNJ32zg2hcA", type: "function", function: call }],
          refusal: null,
        }),
    ...deltas.map((delta) =>
      choice(isText ? { content: delta } : { tool_calls: [{ index: 0, function: { arguments: delta } }] }),
    ),
    choice({}, isText ? "stop" : "tool_calls"),
    { ...chatChunk, choices: [], usage, obfuscation: "" },
  ];
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"];
}

const anthropicMessage = {
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-6",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 80, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
};

const chatChunk = {
  id: "chatcmpl-CPE1S1AlsGTKLfTHUEIrFMR9zc8Pk",
  object: "chat.completion.chunk",
  created: 1760193698,
  model: "gpt-4o-2024-08-06",
  service_tier: "default",
  system_fingerprint: "fp_cbf1785567",
};

function choice(delta: object, finish_reason: string | null = null): object {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
  return { ...chatChunk, choices, usage: null, obfuscation: "1XS4G9" };
}
