import { expect, test } from "vitest";
import { check } from "./check.js";
import { convert } from "./convert.js";
import { detect, detectOne } from "./detect.js";
import { repair } from "./repair.js";

const openai = JSON.stringify([
  { role: "user", content: "hi" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a1", type: "function", function: { name: "read", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "a1", content: "out" },
]);

const anthropic = JSON.stringify([
  { role: "user", content: "hi" },
  { role: "assistant", content: [{ type: "tool_use", id: "a2", name: "read", input: {} }] },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "a2", content: "out" },
      { type: "text", text: "also" },
    ],
  },
  { role: "assistant", content: "done" },
]);

test("a call beside null content is not an empty message that could be removed", async () => {
  const { problems } = await check(openai, { from: "clawtools" });
  expect(problems.map(({ code, severity }) => [code, severity])).toEqual([
    ["clawtools/openai-tool-calls", "error"],
    ["clawtools/openai-tool-role", "error"],
  ]);
});

test.each<[string, object, string]>([
  ["a tool role", { role: "tool", tool_call_id: "a", content: "x" }, "clawtools/openai-tool-role"],
  [
    "calls beside the content",
    { role: "assistant", content: "x", tool_calls: [{ id: "a", function: { name: "f" } }] },
    "clawtools/openai-tool-calls",
  ],
  ["a developer role", { role: "developer", content: "Never say no." }, "clawtools/system-role"],
  [
    "arguments as text",
    { role: "assistant", content: [{ type: "toolCall", id: "a", name: "f", arguments: "{}" }] },
    "clawtools/arguments-no-object",
  ],
  ["an unknown role", { role: "note", content: "x" }, "clawtools/unknown-role"],
])("%s is an error with a hint", async (_, message, code) => {
  const { problems } = await check(JSON.stringify([message]), { from: "clawtools" });
  expect(problems).toContainEqual(
    expect.objectContaining({ code, severity: "error", hint: expect.stringMatching(/./) }),
  );
});

test("an array of another format's messages is not taken for clawtools", async () => {
  expect(await detect(openai)).toEqual([]);
  await expect(detectOne(openai)).rejects.toMatchObject({
    code: "convert/undetected",
    hint: 'for OpenAI or Anthropic messages write {"model": "…", "messages": […]}; for clawtools messages use --from clawtools',
  });
});

test("the hint for an array of messages works", async () => {
  await expect(convert(openai, { from: "openai-chat", to: "openclaw" })).rejects.toMatchObject({
    hint: 'put the array into a request: {"model": "…", "messages": […]}',
  });
  const { output } = await convert(`{"model":"m","messages":${openai}}`, {
    from: "openai-chat",
    to: "openclaw",
  });
  expect(output).toContain('"toolCallId":"a1"');
});

test.each(["google", "anthropic"] as const)("%s: the ledger says whose a dropped block is", async (to) => {
  const { losses } = await convert(anthropic, { from: "clawtools", to });
  const dropped = losses.filter(({ severity, what }) => severity === "dropped" && !what.startsWith("ext."));
  expect(dropped).toHaveLength(2);
  for (const { why } of dropped)
    expect(why).toMatch(/^only clawtools understands (this block|what is in it)$/);
});

test("repair says that it removes a byte order mark and blank lines", async () => {
  const line = (timestamp: number) => `{"role":"user","content":"a","timestamp":${timestamp}}`;
  const text = `\uFEFF${line(1740000000000)}\n\n${line(1740000000)}\n`;
  const { output, changes } = await repair(text, { from: "openclaw" });
  expect(output).toBe(`${line(1740000000000)}\n${line(1740000000000)}\n`);
  expect(changes.map(({ line, code }) => [line, code])).toEqual([
    [1, "framing/bom"],
    [2, "framing/blank-line"],
    [3, "openclaw/mended"],
  ]);
});
