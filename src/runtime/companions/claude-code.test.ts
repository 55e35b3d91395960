import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Loss } from "../../core/types.js";
import { companionsOf, joinSession } from "./companions.js";

let folder: string;
const main = () => join(folder, "s1.jsonl");

beforeEach(() => {
  folder = temporaryFolder();
});

function write(name: string, ...lines: (object | string)[]): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const texts = lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`));
  writeFileSync(path, texts.join(""));
}

/** The records of the joined session, and what was missing. */
async function joined(): Promise<{ records: unknown[]; missing: Loss[] }> {
  const session = await joinSession(main(), "claude-code");
  const chunks: Uint8Array[] = [];
  for await (const chunk of session?.open() ?? []) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString("utf8").split("\n");
  return {
    records: lines.filter((line) => line !== "").map((line) => JSON.parse(line)),
    missing: session?.missing() ?? [],
  };
}

test("lines of sub-agents follow the session's own; the first one has what is known of the sub-agent", async () => {
  write("s1.jsonl", { uuid: "u1" }, '{"uuid":"u2","toolUseResult":{"agentId":"a"}}');
  write("s1/subagents/agent-a.jsonl", { uuid: "a1", isSidechain: true }, { uuid: "a2", isSidechain: true });
  write("s1/subagents/agent-a.meta.json", '{\n  "agentType": "Explore",\n  "toolUseId": "toolu_1"\n}');
  write("s1/subagents/agent-b.jsonl", { uuid: "b1", isSidechain: false });
  expect(await joined()).toEqual({
    records: [
      { uuid: "u1" },
      { uuid: "u2", toolUseResult: { agentId: "a" } },
      { uuid: "a1", isSidechain: true, agentMeta: { agentType: "Explore", toolUseId: "toolu_1" } },
      { uuid: "a2", isSidechain: true },
      { uuid: "b1", isSidechain: true },
    ],
    missing: [],
  });
});

test("a sub-agent of an older version is beside the session, or in its file", async () => {
  write(
    "s1.jsonl",
    { uuid: "u1", toolUseResult: { agentId: "old" } },
    { uuid: "u2", toolUseResult: { agentId: "inline" } },
    { uuid: "i1", isSidechain: true, agentId: "inline" },
  );
  write("agent-old.jsonl", { uuid: "o1", isSidechain: true });
  const { records, missing } = await joined();
  expect(records).toHaveLength(4);
  expect(records.at(-1)).toEqual({ uuid: "o1", isSidechain: true });
  expect(missing).toEqual([]);
});

test("what cannot be found is a loss, once, however often the session is read", async () => {
  write(
    "s1.jsonl",
    { uuid: "u1" },
    { uuid: "u2", toolUseResult: { agentId: "../../other" } },
    { uuid: "u3", toolUseResult: { persistedOutputPath: "/elsewhere/tool-results/x.txt" } },
  );
  const session = await joinSession(main(), "claude-code");
  for (let time = 0; time < 2; time++) for await (const _ of session?.open() ?? []);
  expect(session?.missing()).toEqual([
    {
      at: "/2",
      what: "the full output of a tool call",
      why: "tool-results/x.txt is missing",
      severity: "dropped",
      of: "content",
    },
    {
      at: "/1",
      what: "the messages of sub-agent ../../other",
      why: "its file is missing",
      severity: "dropped",
      of: "message",
    },
  ]);
});

test("the full text of a large result is added to its details, and numbers stay as they were written", async () => {
  write(
    "s1.jsonl",
    '{"uuid":"u1","n":12345678901234567890,"toolUseResult":{"persistedOutputPath":"/a/x.txt"}}',
  );
  write("s1/tool-results/x.txt", "all of\nthe output");
  const session = await joinSession(main(), "claude-code");
  const chunks: Uint8Array[] = [];
  for await (const chunk of session?.open() ?? []) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString("utf8")).toBe(
    '{"uuid":"u1","n":12345678901234567890,"toolUseResult":{"persistedOutput":"all of\\nthe output","persistedOutputPath":"/a/x.txt"}}\n',
  );
});

test("no file outside the session's folder is read", async () => {
  write("secret.txt", "secret");
  const paths = [join(folder, "secret.txt"), "../../secret.txt", "..", "linked.txt"];
  write("s1.jsonl", ...paths.map((path) => ({ uuid: "u", toolUseResult: { persistedOutputPath: path } })));
  mkdirSync(join(folder, "s1/tool-results"), { recursive: true });
  symlinkSync(join(folder, "secret.txt"), join(folder, "s1/tool-results/linked.txt"));
  const { records, missing } = await joined();
  expect(JSON.stringify(records)).not.toContain('persistedOutput"');
  expect(missing).toHaveLength(4);
});

test("lines of a sub-agent without a place in the conversation are a loss", async () => {
  write("s1.jsonl", { uuid: "u1" });
  write("s1/subagents/agent-a.jsonl", { type: "custom-title" }, { uuid: "a1", isSidechain: true }, '{"cut');
  const { records, missing } = await joined();
  expect(records).toEqual([{ uuid: "u1" }, { uuid: "a1", isSidechain: true }]);
  expect(missing).toMatchObject([{ at: "/1", what: "2 of the lines of sub-agent a", severity: "dropped" }]);
});

test("files that can change on their own are listed, and other dialects have none", async () => {
  write("s1.jsonl", { uuid: "u1" });
  write("s1/subagents/agent-a.jsonl", { uuid: "a1" });
  write("s1/subagents/agent-a.meta.json", {});
  const companions = await companionsOf("claude-code");
  expect(await companions?.filesOf(main())).toEqual([join(folder, "s1/subagents/agent-a.jsonl")]);
  expect(await companionsOf("pi")).toBeUndefined();
  expect(await companionsOf("constructor")).toBeUndefined();
});

test("a copy under another name is read alone", async () => {
  write("copy", { uuid: "u1" });
  const session = await joinSession(join(folder, "copy"), "claude-code");
  const chunks: Uint8Array[] = [];
  for await (const chunk of session?.open() ?? []) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString("utf8")).toBe('{"uuid":"u1"}\n');
});
