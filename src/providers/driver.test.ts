import { expect, test } from "vitest";
import { connect } from "./connect.js";

const start = 'data: {"type":"message_start","message":{"content":[]}}\n\n';
const end =
  'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\ndata: {"type":"message_stop"}\n\n';
const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
const comment = ": keep-alive\n\n";
const piece =
  'data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":" "}}\n\n';
const tool =
  'data: {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","name":"code_execution","input":{}}}\n\n';

/** What a stream ends in whose chunks come 90 s apart. */
async function outcome(...chunks: string[]): Promise<string> {
  let time = 0;
  let timer = { at: Number.POSITIVE_INFINITY, ring: () => {} };
  const world = {
    now: () => time,
    after: (ms: number, ring: () => void) => {
      timer = { at: time + ms, ring };
      return () => undefined;
    },
    fetch: async (_url: string, { signal }: RequestInit) => {
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            time += 90_000;
            if (timer.at <= time) timer.ring();
            if (signal?.aborted === true) return controller.error(signal.reason);
            const chunk = chunks.shift();
            if (chunk === undefined) controller.close();
            else controller.enqueue(new TextEncoder().encode(chunk));
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  };
  const model = connect("anthropic/claude-opus-4-6", { apiKey: "k", world });
  const { stopReason, errorMessage } = await model.complete({
    messages: [{ role: "user", content: "hi", timestamp: 1 }],
  });
  return errorMessage ?? stopReason;
}

test("a provider that pings while its tool runs is waited for, ten minutes without content at most", async () => {
  expect(await outcome(start, tool, ping, ping, piece, end)).toBe("stop");
  expect(await outcome(start, tool, ...Array.from({ length: 9 }, () => ping))).toBe(
    "the provider sent no content for 600 s",
  );
});

test("comments, which any proxy sends, are no word of the provider", async () => {
  expect(await outcome(start, tool, comment, comment, comment, end)).toBe(
    "the provider sent no content for 120 s",
  );
});
