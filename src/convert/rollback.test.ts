import { expect, test } from "vitest";
import type { RollbackRole } from "../core/dialect.js";
import { convert } from "./convert.js";
import { RollbackFinder } from "./rollback.js";

function rolledBack(...roles: (RollbackRole | undefined)[]): number[] {
  const finder = new RollbackFinder();
  for (const role of roles) finder.add(role);
  return roles.flatMap((_, number) => (finder.has(number) ? [number] : []));
}

test.each<[string, (RollbackRole | undefined)[], number[]]>([
  ["nothing", ["start", "within", "start"], []],
  ["the last turn", ["start", "within", "start", "within", { turns: 1 }, "start"], [2, 3, 4]],
  ["more turns than there are", ["within", "start", "start", { turns: 9 }, "start"], [1, 2, 3]],
  ["no turn", ["within", { turns: 1 }, "start", { turns: 0 }], []],
  ["what precedes a turn", ["start", "before", undefined, "before", "start", { turns: 1 }], [1, 2, 3, 4, 5]],
  ["not what precedes the first turn", ["before", "start", { turns: 1 }], [1, 2]],
  ["not what precedes an answer", ["start", "before", "within", "start", { turns: 1 }], [3, 4]],
  ["turns one after the other", ["start", "start", { turns: 1 }, "start", { turns: 2 }], [0, 1, 2, 3, 4]],
  ["turns apart", ["start", "start", { turns: 1 }, "start", "start", { turns: 1 }], [1, 2, 4, 5]],
])("%s", (_, roles, expected) => expect(rolledBack(...roles)).toEqual(expected));

const line = (type: string, payload: object) =>
  JSON.stringify({ timestamp: "2026-03-02T09:00:00.000Z", type, payload });
const prompt = (text: string) =>
  line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text }] });
const back = line("event_msg", { type: "thread_rolled_back", num_turns: 1 });
const session = [prompt("one"), prompt("two"), back, prompt("three")].join("\n");

const jsonLines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one));

test("the messages of a turn that was taken back are notes", async () => {
  const { output, losses } = await convert(session, { from: "codex", to: "openclaw" });
  const messages = jsonLines(output).map(({ role, content, customType, data }) =>
    role === "custom" ? [customType, data.message.content ?? data.message.customType] : content,
  );
  expect(messages).toEqual([
    "one",
    ["dragoman/rolled-back", "two"],
    ["dragoman/rolled-back", "codex/event_msg"],
    "three",
  ]);
  expect(losses.filter(({ severity }) => severity !== "synthesised")).toEqual([]);
  const again = await convert(output, { from: "openclaw", to: "codex" });
  expect(jsonLines(again.output)).toEqual(jsonLines(session));
});

test("they are losses in a dialect without notes", async () => {
  const { output, losses } = await convert(session, { from: "codex", to: "anthropic" });
  expect(output).not.toContain("two");
  expect(losses.filter(({ of, severity }) => of === "message" && severity === "dropped")).toEqual([
    {
      at: "/1",
      what: "the user message",
      why: "the user took back its turn",
      severity: "dropped",
      of: "message",
    },
    {
      at: "/2",
      what: "the custom message",
      why: "the user took back its turn",
      severity: "dropped",
      of: "message",
    },
  ]);
});
