import { expect, test } from "vitest";
import { isObject, isString } from "../core/json/value.js";
import { convert } from "./convert.js";

const user = (id: string, text: string, more: object = {}) => ({
  role: "user",
  content: text,
  timestamp: 1,
  id,
  ...more,
});
const summary = (more: object) => ({
  role: "compaction",
  summary: "Sum",
  verbatim: true,
  timestamp: 1,
  ...more,
});
const lines = (...messages: object[]) => messages.map((message) => JSON.stringify(message)).join("\n");

async function written(source: string, to: "codex" | "qwen-code", field: string): Promise<unknown[]> {
  const { output } = await convert(source, { from: "openclaw", to });
  return output.split("\n").flatMap((line) => valuesOf(line === "" ? {} : JSON.parse(line), field));
}

/** The texts in each value of a field. */
function valuesOf(value: unknown, field: string): unknown[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === field ? [textsIn(inner)] : valuesOf(inner, field),
  );
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "text" && isString(inner) ? [inner] : textsIn(inner),
  );
}

test("a history contains the summary and everything from the first kept message on", async () => {
  const source = lines(
    user("a", "old"),
    user("b", "kept"),
    user("c", "too"),
    summary({ firstKeptId: "b" }),
    user("d", "later"),
  );
  expect(await written(source, "codex", "replacement_history")).toEqual([["Sum", "kept", "too"]]);
  expect(await written(source, "qwen-code", "compressedHistory")).toEqual([["Sum", "kept", "too"]]);
});

test("named messages follow the summary in their own order, before those from the first kept one on", async () => {
  const source = lines(
    user("a", "A"),
    user("b", "B"),
    user("c", "C"),
    user("d", "D"),
    summary({ keptIds: ["c", "a", "no message"], firstKeptId: "d" }),
  );
  expect(await written(source, "codex", "replacement_history")).toEqual([["Sum", "A", "C", "D"]]);
});

test("each compaction has its own history, also if they keep the same messages", async () => {
  const source = lines(
    user("a", "A"),
    user("b", "B"),
    summary({ firstKeptId: "b", keptIds: ["a"], id: "s" }),
    user("c", "C"),
    summary({ summary: "Next", firstKeptId: "b" }),
    user("d", "D"),
    summary({ summary: "Last", firstKeptId: "d", keptIds: ["a"] }),
  );
  expect(await written(source, "codex", "replacement_history")).toEqual([
    ["Sum", "A", "B"],
    ["Next", "B", "C"],
    ["Last", "A", "D"],
  ]);
});

test("a first kept message that does not exist keeps nothing", async () => {
  const source = lines(
    user("a", "A"),
    summary({ firstKeptId: "z" }),
    user("z", "Z"),
    summary({ firstKeptId: "z" }),
  );
  expect(await written(source, "codex", "replacement_history")).toEqual([["Sum"], ["Sum", "Z"]]);
});

test("messages on other branches are not part of the history", async () => {
  const source = lines(
    user("a", "A", { parentId: null }),
    user("b", "B", { parentId: "a" }),
    user("x", "other branch", { parentId: "a" }),
    user("c", "C", { parentId: "b" }),
    summary({ id: "s", parentId: "c", firstKeptId: "a" }),
  );
  expect(await written(source, "codex", "replacement_history")).toEqual([["Sum", "A", "B", "C"]]);
  expect(await written(source, "qwen-code", "compressedHistory")).toEqual([["Sum", "A", "B", "C"]]);
});

test("the ids are losses, and escrow restores them", async () => {
  const source = lines(user("a", "old"), user("b", "kept"), summary({ firstKeptId: "b" }));
  const { losses } = await convert(source, { from: "openclaw", to: "codex" });
  expect(losses).toContainEqual({
    at: "/2/firstKeptId",
    what: 'firstKeptId ("b")',
    why: "the history contains the messages that are kept, not their ids",
    severity: "dropped",
  });
  const sealed = await convert(source, { from: "openclaw", to: "codex", escrow: true });
  const back = await convert(sealed.output, { from: "codex", to: "openclaw" });
  expect(
    back.output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(source.split("\n").map((line) => JSON.parse(line)));
  const other = await convert(sealed.output, { from: "codex", to: "qwen-code" });
  expect(other.output).toContain(
    '"compressedHistory":[{"role":"user","parts":[{"text":"Sum"}]},{"role":"user","parts":[{"text":"kept"}]}]',
  );
});
