import { expect, test } from "vitest";
import { check } from "../../convert/check.js";
import { repair } from "../../convert/repair.js";

const meta = {
  timestamp: "2026-03-02T09:00:00.000Z",
  type: "session_meta",
  payload: {
    id: "7d1f0c52-5a3b-4c8e-9f10-2b6a7e4d9c31",
    timestamp: "2026-03-02T09:00:00.000Z",
    cwd: "/w",
    originator: "codex_cli_rs",
    cli_version: "0.166.0",
  },
};
const line = (type: string, payload: object, more: object = {}) => ({
  timestamp: "2026-03-02T09:00:01.000Z",
  type,
  payload,
  ...more,
});
const text = (...lines: object[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join("");

async function codesOf(...lines: object[]): Promise<string[]> {
  const { problems } = await check(text(...lines), { from: "codex" });
  return problems.filter(({ code }) => code.startsWith("codex/")).map(({ at, code }) => `${at} ${code}`);
}

test("a valid file has no findings", async () => {
  expect(await codesOf(meta, line("event_msg", { type: "task_started" }))).toEqual([]);
});

test.each([
  ["a time as a number", line("event_msg", {}, { timestamp: 5 }), ["/1/timestamp codex/bad-time"]],
  [
    "arguments as an object",
    line("response_item", { type: "function_call", name: "a", call_id: "b", arguments: {} }),
    ["/1/payload/arguments codex/bad-call"],
  ],
  [
    "an output as an object",
    line("response_item", { type: "function_call_output", call_id: "b", output: {} }),
    ["/1/payload/output codex/bad-output"],
  ],
  [
    "a system message with a text part",
    line("response_item", { type: "message", role: "system", content: [{ type: "text", text: "a" }] }),
    ["/1/payload/role codex/system-role", "/1/payload/content/0/type codex/bad-part"],
  ],
  [
    "parts that Codex does not read or show",
    line("response_item", {
      type: "function_call_output",
      call_id: "b",
      output: [{ type: "input_video" }, { type: "input_image", image_url: "https://example.com/a.png" }],
    }),
    ["/1/payload/output/0/type codex/bad-part", "/1/payload/output/1/image_url codex/remote-image"],
  ],
  ["an unknown type", line("weather", {}), ["/1/type codex/unknown-type"]],
  [
    "turns taken back",
    line("event_msg", { type: "thread_rolled_back", num_turns: 1 }),
    ["/1/payload codex/rolled-back"],
  ],
  ["a line without an envelope", { record_type: "state" }, ["/1 codex/no-envelope"]],
])("%s", async (_, second, codes) => {
  expect(await codesOf(meta, second)).toEqual(codes);
});

test("a header lacks a field, and the session starts in another file", async () => {
  const { cwd: _, ...payload } = meta.payload;
  const history_base = { thread_id: "a", end_ordinal_exclusive: 1, end_byte_offset: 2 };
  expect(await codesOf({ ...meta, payload: { ...payload, history_base } })).toEqual([
    "/0/payload codex/bad-session",
    "/0/payload/history_base codex/starts-elsewhere",
  ]);
});

test("repair writes what Codex would ignore as Codex reads it", async () => {
  const { output } = await repair(
    text(
      meta,
      line("response_item", { type: "message", role: "system", content: [{ type: "text", text: "a" }] }),
      line("response_item", { type: "function_call", name: "a", call_id: "b", arguments: { c: 1 } }),
      line("response_item", { type: "function_call_output", call_id: "b", output: { d: 2 } }),
    ),
    { from: "codex" },
  );
  const payloads = output
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one).payload);
  expect(payloads.slice(1)).toEqual([
    { type: "message", role: "developer", content: [{ type: "input_text", text: "a" }] },
    { type: "function_call", name: "a", call_id: "b", arguments: '{"c":1}' },
    { type: "function_call_output", call_id: "b", output: '{"d":2}' },
  ]);
});
