import { expect, test } from "vitest";
import { connect } from "../providers/connect.js";
import { type ConnectorEvent, registerConnector } from "../providers/connectors.js";
import { type Check, checkModel } from "./model-checks.js";

async function check(answer: (asked: string) => ConnectorEvent[], card = {}): Promise<Check[]> {
  registerConnector("acme", {
    async *stream(_, { messages, tools }) {
      const asked = JSON.stringify(messages);
      const kind = tools !== undefined ? "tools" : asked.includes("image/png") ? "images" : asked;
      yield* answer(
        kind.includes("think:")
          ? "thinking"
          : kind.includes("Dragoman")
            ? "text"
            : kind.includes("Paris")
              ? "structured output"
              : kind,
      );
    },
  });
  const found: Check[] = [];
  const model = connect("acme/m", { card: { input: ["text", "image"], thinking: true, ...card } });
  for await (const one of checkModel(model, () => 0)) found.push(one);
  return found;
}

const done: ConnectorEvent = { type: "done", stopReason: "stop" };
const say = (delta: string): ConnectorEvent[] => [{ type: "text_delta", delta }, done];
const call = (given: Record<string, unknown>): ConnectorEvent[] => [
  { type: "toolcall_end", toolCall: { id: "1", name: "add", arguments: given } },
  { type: "done", stopReason: "toolUse" },
];

const answers: Record<string, ConnectorEvent[]> = {
  text: say("Dragoman"),
  tools: call({ a: 2, b: 3 }),
  thinking: [{ type: "thinking_delta", delta: "7 × 13" }, { type: "text_delta", delta: "no" }, done],
  images: say("red"),
  "structured output": say('{"city":"Paris"}'),
};
const good = (asked: string) => answers[asked] ?? [];

test("a model that can do everything", async () => {
  expect(await check(good)).toEqual([
    { name: "text", result: "works", ms: 0, detail: "Dragoman" },
    { name: "tools", result: "works", ms: 0, detail: 'add {"a":2,"b":3}' },
    { name: "thinking", result: "works", ms: 0, detail: "7 × 13" },
    { name: "images", result: "works", ms: 0, detail: "red" },
    { name: "structured output", result: "works", ms: 0, detail: '{"city":"Paris"}' },
  ]);
});

test("a long answer is shown cut, but read whole", async () => {
  const long = `{"city":"${"Paris ".repeat(12)}"}`;
  const results = await check((asked) => (asked === "structured output" ? say(long) : good(asked)));
  expect(results.at(-1)).toEqual({
    name: "structured output",
    result: "works",
    ms: 0,
    detail: `${long.slice(0, 60)}…`,
  });
});

test("what the card excludes is skipped", async () => {
  const results = await check(good, { input: ["text"], thinking: false, tools: false, structured: false });
  expect(results.map(({ result }) => result)).toEqual(["works", "skipped", "skipped", "skipped", "skipped"]);
});

test.each<[string, ConnectorEvent[], string]>([
  ["text", say(" "), "the answer has no text"],
  ["text", [{ type: "error", error: new Error("overloaded") }], "overloaded"],
  ["tools", say("5"), "the answer does not call the tool with both numbers"],
  ["tools", call({ a: 2 }), "the answer does not call the tool with both numbers"],
  ["thinking", say("no"), "the answer has no thinking"],
  ["images", say("I see no image."), "the answer does not name the colour of the image, red"],
  ["structured output", say("Paris"), "the answer does not fit the schema"],
])("%s fails with %j", async (name, events, detail) => {
  const results = await check((asked) => (asked === name ? events : good(asked)));
  expect(results.filter(({ result }) => result === "fails")).toEqual([
    { name, result: "fails", ms: 0, detail },
  ]);
});
