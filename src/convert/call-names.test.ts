import { expect, test } from "vitest";
import { check } from "./check.js";
import { convert } from "./convert.js";

const turns = `${[
  '{"role":"user","content":[{"type":"text","text":"Weather?"}],"timestamp":1234567890}',
  '{"role":"assistant","content":[{"type":"text","text":"I look."}],"timestamp":1234567891,"toolCall":{"id":"call_123","name":"weather.get","arguments":{}}}',
  '{"role":"tool","content":[{"type":"text","text":"22 °C"}],"timestamp":1234567892,"toolResult":{"toolCallId":"call_123","output":"{\\"temp\\": 22}"}}',
].join("\n")}\n`;

const clawtools = JSON.stringify([
  { role: "user", content: "Read it" },
  { role: "assistant", content: [{ type: "toolCall", id: "c1", name: "read", arguments: {} }] },
  { role: "toolResult", toolCallId: "c1", content: [{ type: "text", text: "x" }], isError: false },
]);

test("the tool of a result is named as its call names it", async () => {
  const { output } = await convert(turns, { from: "openclaw-turns", to: "google" });
  expect(JSON.parse(output).contents[2].parts[0].functionResponse.name).toBe("weather.get");
});

test("the ledger says where the name and the reason to stop come from", async () => {
  const { output, losses } = await convert(clawtools, { from: "clawtools", to: "openclaw" });
  const [, answer, result] = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect([answer.stopReason, result.toolName]).toEqual(["toolUse", "read"]);
  const why = "openclaw requires it, so it was taken from the tool call";
  expect(losses).toContainEqual({ at: "/1", what: "stopReason", why, severity: "synthesised" });
  expect(losses).toContainEqual({ at: "/2", what: "toolName", why, severity: "synthesised" });
});

test.each([
  ["openclaw-turns", turns],
  ["clawtools", clawtools],
] as const)("%s is written back without the name it does not have", async (name, text) => {
  for (const escrow of [false, true]) {
    const { output, losses } = await convert(text, { from: name, to: name, escrow });
    expect(output.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    expect(losses).toEqual([]);
  }
});

test("an output beside the content is in the details, and comes back", async () => {
  const { output } = await convert(turns, { from: "openclaw-turns", to: "openclaw" });
  const result = JSON.parse(output.trim().split("\n")[2] ?? "");
  expect(result).toMatchObject({ content: [{ type: "text", text: "22 °C" }], details: '{"temp": 22}' });
  expect((await convert(output, { from: "openclaw", to: "openclaw-turns" })).output).toBe(turns);
});

test("check --for google finds a result that names no tool", async () => {
  const lone =
    '[{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"x"}],"isError":false}]';
  const { problems } = await check(lone, { from: "clawtools", for: "google" });
  expect(problems.map(({ code }) => code)).toContain("google/result-name");
  const { problems: none } = await check(clawtools, { from: "clawtools", for: "google" });
  expect(none.map(({ code }) => code)).not.toContain("google/result-name");
});
