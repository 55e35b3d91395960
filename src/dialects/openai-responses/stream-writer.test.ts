import { expect, test } from "vitest";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { emptyUsage } from "../../core/message/usage.js";
import { events } from "../../core/stream/events.js";
import type { AssistantMessage } from "../../core/types.js";
import { streamWriter } from "./stream-writer.js";

const message: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Hm." },
    { type: "text", text: "Yes." },
    { type: "toolCall", id: "c", name: "read", arguments: {} },
  ],
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "toolUse",
  timestamp: 1_700_000_000_000,
};

function payloadsOf(answer: AssistantMessage): JsonObject[] {
  const writer = streamWriter();
  const all = [...events(answer)].flatMap((event) => writer.push(event));
  return all.map(({ data }) => data).filter(isObject);
}

/** The ids of the response and of its items, as they are announced and as they are at the end. */
function idsOf(answer: AssistantMessage): { announced: unknown[]; final: unknown[] } {
  const payloads = payloadsOf(answer);
  const ofType = (type: string) => payloads.filter((payload) => payload["type"] === type);
  const idIn = (holder: unknown) => (isObject(holder) ? holder["id"] : undefined);
  const [end] = ofType("response.completed").map(({ response }) => response);
  const output = isObject(end) && Array.isArray(end["output"]) ? end["output"] : [];
  return {
    announced: [
      ...ofType("response.created").map(({ response }) => idIn(response)),
      ...ofType("response.output_item.added").map(({ item }) => idIn(item)),
    ],
    final: [idIn(end), ...output.map(idIn)],
  };
}

test("two answers of one millisecond have no id in common", () => {
  const [first, second] = [idsOf(message), idsOf(message)];
  expect(new Set([...first.announced, ...second.announced]).size).toBe(8);
});

test("an answer ends with the ids that it was announced with", () => {
  const { announced, final } = idsOf(message);
  expect(final).toEqual(announced);
});

test("an id of the answer's own names its items", () => {
  expect(idsOf({ ...message, id: "01J" }).announced).toEqual([
    "resp_01J",
    "rs_01J_0",
    "msg_01J_1",
    "fc_01J_2",
  ]);
});
