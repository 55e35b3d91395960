import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { check } from "../../src/convert/check.js";
import { convert } from "../../src/convert/convert.js";
import type { AssistantMessage } from "../../src/core/index.js";

import { Runtime } from "../../src/runtime/runtime.js";
import { viewPath } from "../../src/runtime/views.js";
import { modelServer, type Reply } from "../fakes/model-server.js";
import { answer } from "../fakes/scripted-model.js";
import { folderForEachTest } from "../support/temporary-folder.js";

const server = modelServer();
const home = folderForEachTest();

function usage(input: number, output: number): Pick<AssistantMessage, "usage"> {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { usage: { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output, cost } };
}

const looks = answer(
  [
    { type: "text", text: "I will look." },
    { type: "toolCall", id: "toolu_1", name: "read", arguments: { file_path: "missing.txt" } },
  ],
  usage(20, 5),
);
const tells = answer([{ type: "text", text: "There is no such file." }], usage(30, 7));

/** Sends prompts to an agent whose model does this, and returns the view that Cline would have written. */
async function clineFile(prompts: readonly string[], replies: readonly Reply[]) {
  const { refused } = server.serve("anthropic", replies);
  const runtime = new Runtime({
    home: home(),
    config: {
      model: "local/claude-opus-4-6",
      providers: { local: { baseUrl: server.url, api: "anthropic", apiKey: "k", maxRetries: 1 } },
      models: {
        "local/claude-opus-4-6": { prices: { input: 1000, output: 10_000, cacheRead: 0, cacheWrite: 0 } },
      },
      views: ["cline"],
    },
    models: { world: { after: (_ms, callback) => cancellable(callback) } },
  });
  const conversation = await runtime.begin({ key: "agent:main:main" });
  for (const content of prompts) {
    await conversation.send({ role: "user", content, timestamp: Date.now() });
    await conversation.idle();
  }
  await runtime.close();
  expect(refused).toEqual([]);
  const text = await readFile(
    viewPath(home(), "cline", conversation.session.header, conversation.session.id),
    "utf8",
  );
  return { text, file: JSON.parse(text) };
}

/** Waits are over at once, so that a retry takes no time. */
function cancellable(callback: () => void): () => void {
  const soon = setImmediate(callback);
  return () => clearImmediate(soon);
}

/** Role, kinds of blocks, and what the contract says of models and metrics. */
function outline(file: { messages: Record<string, unknown>[] }): unknown[] {
  return file.messages.map(({ role, content, modelInfo, metrics }) => {
    const blocks = Array.isArray(content) ? content.map(({ type }) => type).join(" ") : typeof content;
    return [role, blocks, modelInfo ?? null, metrics ?? null];
  });
}

const model = { id: "claude-opus-4-6", provider: "local" };
const metrics = (inputTokens: number, outputTokens: number, cost: number) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cost,
});

test("a turn that succeeds: its only answer has the model and the metrics", async () => {
  const { file, text } = await clineFile(["Is it there?"], [tells]);
  expect(file).toMatchObject({ version: 1, agent: "lead" });
  expect(outline(file)).toEqual([
    ["user", "text", null, null],
    ["assistant", "text", model, metrics(30, 7, 0.1)],
  ]);
  expect((await check(text, { from: "cline" })).problems).toEqual([]);
});

test("a turn that fails before it says anything: no answer, and nothing made up", async () => {
  const { file, text } = await clineFile(["Is it there?"], [{ status: 500 }, { status: 500 }]);
  expect(outline(file)).toEqual([["user", "text", null, null]]);
  expect((await check(text, { from: "cline" })).problems).toEqual([]);
});

test("a failure that passes: the answers before it keep their metrics, and the retry has its own", async () => {
  const { file, text } = await clineFile(
    ["Is it there?", "Are you sure?"],
    [tells, { status: 529 }, answer([{ type: "text", text: "Yes." }], usage(40, 2))],
  );
  expect(outline(file)).toEqual([
    ["user", "text", null, null],
    ["assistant", "text", model, metrics(30, 7, 0.1)],
    ["user", "text", null, null],
    ["assistant", "text", model, metrics(40, 2, 0.06)],
  ]);
  expect((await check(text, { from: "cline" })).problems).toEqual([]);
});

test("several answers in one turn: the last has the metrics of all, the others only the model", async () => {
  const { file, text } = await clineFile(["Is it there?"], [looks, tells]);
  expect(outline(file)).toEqual([
    ["user", "text", null, null],
    ["assistant", "text tool_use", model, null],
    ["user", "tool_result", null, null],
    ["assistant", "text", model, metrics(50, 12, 0.17)],
  ]);
  expect((await check(text, { from: "cline" })).problems).toEqual([]);
});

test("an answer that breaks off: its words, and no metrics that nobody has reported", async () => {
  const runtime = new Runtime({ home: home(), config: { model: "demo/script", views: ["cline"] } });
  const conversation = await runtime.begin({ key: "agent:main:main" });
  await conversation.send({ role: "user", content: "say: half of\ncut", timestamp: 1 });
  await conversation.idle();
  await runtime.close();
  const { id, header } = conversation.session;
  const path = viewPath(home(), "cline", header, id);
  const text = await readFile(path, "utf8");
  expect(outline(JSON.parse(text))).toEqual([
    ["user", "text", null, null],
    ["assistant", "text", { id: "script", provider: "demo" }, null],
  ]);
  expect((await check(text, { from: "cline" })).problems).toEqual([]);
  const back = await convert(text, { from: "cline", to: "openclaw" });
  expect(JSON.parse(back.output.trim().split("\n").at(-1) ?? "")).toMatchObject({ stopReason: "error" });
});
