import { expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import { joinHistory } from "./history-base.js";

const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: "2026-03-02T09:00:00.000Z", type, payload })}\n`;
const header = (id: string, history_base?: object) =>
  line("session_meta", { id, ...(history_base === undefined ? {} : { history_base }) });
const prompt = (text: string) =>
  line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text }] });
const after = (thread_id: string, text: string) => ({
  thread_id,
  end_ordinal_exclusive: 2,
  end_byte_offset: new TextEncoder().encode(text).length,
});

/** Opens a text in chunks of a few bytes. */
const opener = (text: string) =>
  async function* () {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  };

async function join(text: string, files: Record<string, string> = {}): Promise<string> {
  const find = async (id: string) => (files[id] === undefined ? undefined : opener(files[id]));
  const chunks: Uint8Array[] = [];
  for await (const chunk of joinHistory(opener(text), find)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function promptsOf(text: string) {
  const { output, losses } = await convert(text, { from: "codex", to: "openclaw" });
  const messages = output
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one));
  const prompts = messages.flatMap(({ role, content }) => (role === "user" ? [content] : []));
  return { prompts, dropped: losses.filter(({ severity }) => severity === "dropped") };
}

const first = header("a") + prompt("première");
const second = header("b", after("a", first)) + prompt("second");
const third = header("c", after("b", second)) + prompt("third");

test("the start of a session is read from the files before it, up to where it was forked", async () => {
  const joined = await join(third, { a: first + prompt("later"), b: second + prompt("later too") });
  expect(await promptsOf(joined)).toEqual({ prompts: ["première", "second", "third"], dropped: [] });
  expect(JSON.parse(joined.split("\n")[0] ?? "").payload).toEqual({ id: "c" });
});

test("a session that starts in its own file stays as it is", async () => {
  expect(await join(first)).toBe(first);
  expect(await join("not JSON\n")).toBe("not JSON\n");
  expect(await join("")).toBe("");
});

test("a missing start is a loss", async () => {
  const loss = (id: string) => ({
    at: "/0",
    what: "the start of the session",
    why: `it is in another file, whose name ends with ${id}.jsonl`,
    severity: "dropped",
    of: "message",
  });
  expect(await join(third)).toBe(third);
  expect(await promptsOf(third)).toEqual({ prompts: ["third"], dropped: [loss("b")] });
  const joined = await join(third, { b: second });
  expect(await promptsOf(joined)).toEqual({ prompts: ["second", "third"], dropped: [loss("a")] });
});

test("files that name each other end", async () => {
  const one = header("x", { thread_id: "y", end_ordinal_exclusive: 1, end_byte_offset: 1e6 }) + prompt("one");
  const other =
    header("y", { thread_id: "x", end_ordinal_exclusive: 1, end_byte_offset: 1e6 }) + prompt("other");
  const { prompts } = await promptsOf(await join(one, { x: one, y: other }));
  expect(prompts).toEqual(["one", "other", "one"]);
});
