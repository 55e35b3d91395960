import { describe, expect, test } from "vitest";
import { convert } from "./convert.js";
import { detect, detectOne } from "./detect.js";
import { repair } from "./repair.js";

const printed = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const text = (words: string) => ({ type: "text", text: words });

const usage = {
  input: 9,
  output: 4,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 13,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const call = { type: "toolCall", id: "c1", name: "look", arguments: { path: "a.txt" } };
const answer = {
  api: "a",
  provider: "p",
  model: "m",
  usage,
  stopReason: "stop",
  timestamp: 1_750_000_000_001,
};

/** The shapes in which the formats are explained to people. */
const examples: [string, unknown, string][] = [
  ["a question", { role: "user", content: "Which one?", timestamp: 1_750_000_000_000 }, "openclaw"],
  [
    "a question with a picture",
    {
      role: "user",
      content: [text("And this?"), { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }],
      timestamp: 1_750_000_000_000,
    },
    "openclaw",
  ],
  ["an answer", { role: "assistant", content: [text("That one.")], ...answer }, "openclaw"],
  [
    "an answer that calls a tool",
    { role: "assistant", content: [{ type: "thinking", thinking: "Hm." }, call], ...answer },
    "openclaw",
  ],
  [
    "a result",
    {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "look",
      content: [text("ok")],
      isError: false,
      timestamp: 1_750_000_000_002,
    },
    "openclaw",
  ],
  [
    "a question as a turn",
    { role: "user", content: [text("Which one?")], timestamp: 1_750_000_000 },
    "openclaw-turns",
  ],
  [
    "an answer as a turn",
    {
      role: "assistant",
      content: [text("I look.")],
      timestamp: 1_750_000_001,
      toolCall: { id: "c1", name: "look", arguments: {} },
    },
    "openclaw-turns",
  ],
  [
    "a result as a turn",
    {
      role: "tool",
      content: [text("ok")],
      timestamp: 1_750_000_002,
      toolResult: { toolCallId: "c1", output: "ok" },
    },
    "openclaw-turns",
  ],
  [
    "a frame",
    {
      i: "01JHN5Y1J00000000000000001",
      t: "2025-06-15T15:06:40.000Z",
      v: { type: "user", content: "Which one?", sender: "ada" },
    },
    "timbal",
  ],
  [
    "an entry of a session",
    {
      type: "message",
      id: "a",
      parentId: null,
      timestamp: "2025-06-15T15:06:40.000Z",
      message: { role: "user", content: "Which one?", timestamp: 1_750_000_000_000 },
    },
    "pi",
  ],
];

describe.each([
  ["on one line", line],
  ["on several lines", printed],
])("%s", (_, write) => {
  test.each(examples)("%s", async (_, value, dialect) => {
    const [first] = await detect(write(value));
    expect(first?.dialect).toBe(dialect);
    const { output } = await convert(write(value), { to: "openclaw" });
    const compact = await convert(line(value), { to: "openclaw" });
    expect(output).toBe(compact.output);
    expect(output.trimEnd().split("\n").at(-1)).toContain('"role":"');
  });

  test.each<[string, unknown, string]>([
    [
      "messages of clawtools",
      [
        { role: "user", content: "Which one?" },
        { role: "assistant", content: [call] },
        { role: "toolResult", toolCallId: "c1", toolName: "look", content: [text("ok")], isError: false },
      ],
      "clawtools",
    ],
    ["messages in plain text", [{ role: "user", content: "Which one?" }], "clawtools"],
    [
      "a session of Cline",
      {
        version: 1,
        updated_at: "2025-06-15T15:06:40.000Z",
        agent: "lead",
        sessionId: "s",
        messages: [{ id: "m", role: "user", content: [text("Which one?")] }],
      },
      "cline",
    ],
  ])("%s", async (_, value, dialect) => {
    const [first] = await detect(write(value));
    expect(first?.dialect).toBe(dialect);
  });
});

test("several messages, each on several lines", async () => {
  const input = examples
    .slice(0, 5)
    .map(([, value]) => printed(value))
    .join("");
  expect(await detect(input)).toEqual([{ dialect: "openclaw", confidence: 0.95 }]);
  const lines = examples.slice(0, 5).map(([, value]) => line(value));
  expect((await convert(input, { to: "openclaw" })).output).toBe(lines.join(""));
  const { output, changes } = await repair(`${lines[0]}${input}`);
  expect(output).toBe([lines[0], ...lines].join(""));
  expect(changes.map(({ at, line: number, code }) => `${number} ${at} ${code}`)).toEqual([
    "2 /1 framing/several-lines",
    "7 /2 framing/several-lines",
    "22 /3 framing/several-lines",
    "50 /4 framing/several-lines",
    "86 /5 framing/several-lines",
  ]);
});

test.each<[string, unknown]>([
  ["a message", { type: "agent", content: "That one.", sender: "bot" }],
  ["a call", { type: "tool_call", toolCallId: "c1", name: "look", arguments: {} }],
  ["a type of one's own", { type: "x-mine", content: "half way" }],
])("of Timbal without its frame: %s", async (_, value) => {
  expect(await detect(printed(value))).toEqual([]);
  await expect(detectOne(printed(value))).rejects.toMatchObject({
    code: "convert/undetected",
    hint: 'these are the values of Timbal frames; put each into a frame: {"i":"<ulid>","t":"<time>","v":…}',
  });
});

test.each(['{\n  "event": "chat"\n}\n', "[1]", "words"])("nothing known: %j", async (input) => {
  await expect(detectOne(input)).rejects.toMatchObject({
    message: "the input matches no dialect",
    hint: "choose one with --from; `dragoman dialects` lists them",
  });
});

test("a block whose type is no text says nothing of a dialect", async () => {
  const document = { model: "m", messages: [{ role: "user", content: [{ type: { toString: {} } }] }] };
  const found = await detect(JSON.stringify(document));
  expect(found.find(({ dialect }) => dialect === "anthropic")).toEqual({
    dialect: "anthropic",
    confidence: 0.3,
  });
});

test("a file in which one line cannot be of openclaw is not openclaw, however sure another line is", async () => {
  const lines = [
    line({ role: "toolResult", toolCallId: "c1", toolName: "look", content: [text("ok")], isError: false }),
    line({ role: "tool", content: "ok", tool_call_id: "c1" }),
  ];
  expect(await detect(lines[0] ?? "")).toEqual([{ dialect: "openclaw", confidence: 0.95 }]);
  for (const input of [lines, lines.toReversed()]) {
    const found = await detect(input.join(""));
    expect(found.map(({ dialect }) => dialect)).not.toContain("openclaw");
  }
});

test("damaged lines in the middle hide nothing of what comes after them", async () => {
  const question = line({ role: "user", content: [text("Which one?")] });
  const [, , { [1]: sure } = []] = examples;
  const input = [question, '{"role":"user","con\n'.repeat(6), line(sure)].join("");
  expect((await detect(question))[0]?.confidence).toBeLessThan(0.95);
  expect(await detect(input)).toEqual([{ dialect: "openclaw", confidence: 0.95 }]);
});

test("one of the first five lines has to be whole", async () => {
  const whole = examples.slice(0, 5).map(([, value]) => line(value));
  const damaged = '{"role":"user","con\n';
  expect(await detect([damaged.repeat(4), ...whole].join(""))).toEqual([
    { dialect: "openclaw", confidence: 0.95 },
  ]);
  expect(await detect([damaged.repeat(5), ...whole].join(""))).toEqual([]);
});
