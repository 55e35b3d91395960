import { expect, test } from "vitest";
import { answer as scripted } from "../../../test/fakes/scripted-model.js";
import { AgUiWriter } from "../ag-ui/writer.js";
import { UiChunkWriter, uiEnvelope } from "../ai-sdk/writer.js";
import { Answer } from "./answer.js";
import { AnswerClient } from "./answer-client.js";
import { framesOf, textOf } from "./event-stream.js";

const prompt = { role: "user" as const, id: "u1", content: "Hi", timestamp: 1 };

function clientWith(unreadBytes: number) {
  let left = 0;
  const client = new AnswerClient({ envelope: uiEnvelope, unreadBytes, onLeave: () => left++ });
  return { client, left: () => left };
}

async function readAll(frames: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const frame of frames) text += textOf(frame);
  return text;
}

test("a client that does not read is disconnected, not given an end", async () => {
  const { client, left } = clientWith(100);
  client.accept(Buffer.alloc(101));
  expect(left()).toBe(1);
  await expect(readAll(client.frames)).rejects.toThrow(
    "the client does not read fast enough; the answer is stored in the session",
  );
});

test("a stream ends once, with its end marker", async () => {
  const { client } = clientWith(10_000);
  client.begin(new Answer(new UiChunkWriter({ approvals: false }), prompt), 0);
  client.fail("the gateway is shutting down");
  client.fail("again");
  client.accept(framesOf(["late"]));
  expect(await readAll(client.frames)).toBe(
    'data: {"type":"error","errorText":"the gateway is shutting down"}\n\ndata: [DONE]\n\n',
  );
});

test("a client that joins gets the deltas of a block as one, after a request from there on", () => {
  const answer = new Answer(new AgUiWriter(), prompt);
  const message = scripted([], { id: "a1" });
  for (const delta of ["a", "b", "c"])
    answer.addStep(message, { type: "text_delta", contentIndex: 0, delta });
  expect(answer.chunks).toEqual([
    { type: "TEXT_MESSAGE_START", messageId: "a1:0", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "a1:0", delta: "abc" },
  ]);
  const call = { type: "toolCall" as const, id: "c1", name: "read", arguments: {} };
  answer.ask({ id: "q1", toolCall: call, asked: 1, expires: 2 });
  answer.addStep(message, { type: "text_delta", contentIndex: 0, delta: "d" });
  expect(answer.chunks.slice(answer.endOfRequest(new Set(["c1"])))).toEqual([
    { type: "TEXT_MESSAGE_CONTENT", messageId: "a1:0", delta: "d" },
  ]);
});
