import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HttpAgent, type Message } from "@ag-ui/client";
import { beforeAll, expect, test } from "vitest";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { requireBuild, workspace } from "../../support/cli/run-cli.js";
import { AiChat, loadSdk, textOf } from "./ai-chat.js";
import { frontGateway, storedChat, untilText } from "./front-gateway.js";
import { startKillable } from "./killable-gateway.js";

beforeAll(requireBuild);

test("pages of different protocols show one session, each the other's answers as they stream", async () => {
  const model = new SteppedModel();
  const gateway = await frontGateway({ config: model.config, models: model });
  const api = `${gateway.url}/ai-sdk/main/chat`;
  const chat = new AiChat({ sdk: await loadSdk(6), api, token: gateway.chat, id: "s1" });
  const agent = new HttpAgent({
    url: `${gateway.url}/ag-ui/agent/main/run`,
    threadId: "s1",
    headers: { authorization: `Bearer ${gateway.chat}` },
  });
  agent.addMessage({ id: "u1", role: "user", content: "One" });
  const running = agent.runAgent();
  await model.isAsked(1);
  model.send({ text: "un " });
  void chat.chat.resumeStream();
  await chat.until(() => chat.text === "un ");
  model.send({ text: "deux", stop: "stop" });
  await running;
  await chat.until(() => chat.chat.status === "ready");
  expect(chat.text).toBe("un deux");

  const page = await chat.reload();
  expect(page.chat.messages.map(textOf)).toEqual(["One", "un deux"]);
  expect(page.chat.messages.map(({ id }) => id)[0]).toBe("u1");
  const sending = page.chat.sendMessage({ text: "Two" });
  await model.isAsked(2);
  model.send({ text: "trois" });
  await page.until(() => page.text === "trois");
  const viewer = new HttpAgent({
    url: `${gateway.url}/ag-ui/agent/main/connect`,
    threadId: "s1",
    headers: { authorization: `Bearer ${gateway.read}` },
  });
  const shown = untilText("trois");
  const connected = viewer.runAgent({}, shown.subscriber);
  await shown.seen;
  model.send({ text: " quatre", stop: "stop" });
  await Promise.all([sending, connected]);
  const texts = (viewer.messages as Message[]).map(({ content }) => content);
  expect(texts).toEqual(["One", "un deux", "Two", "trois quatre"]);
  expect(page.chat.messages.map(textOf)).toEqual(texts);
  expect((await storedChat(gateway, "s1")).texts).toEqual([
    ...["user: One", "assistant: un deux"],
    ...["user: Two", "assistant: trois quatre"],
  ]);
});

const files = workspace();

test("after kill -9 mid-answer a page shows the ids that it had", async () => {
  const { token, url, killAndStart } = await startKillable(files, {});
  const api = `${url}/ai-sdk/main/chat`;
  const page = new AiChat({ sdk: await loadSdk(6), api, token, id: "k6" });
  const sending = page.chat.sendMessage({ text: "say: First half.\nstall" });
  await page.until(() => page.text === "First half.");
  await killAndStart();
  await sending;
  // A cut connection is an error, never an answer that looks complete.
  expect(page.chat.status).toBe("error");
  // The process that resumes the session stores what the dead one has left of the answer: all but the last words.
  await expect.poll(async () => textOf((await page.history()).at(-1))).toMatch(/^First/);
  const last = await page.reload();
  await last.chat.resumeStream();
  expect("First half.").toContain(last.text);
  const kept = last.text;
  expect(last.chat.messages.map(({ id }) => id)).toEqual(page.chat.messages.map(({ id }) => id));
  await last.chat.sendMessage({ text: "say: Whole." });
  expect(last.chat.messages.map(textOf).slice(1)).toEqual([kept, "say: Whole.", "Whole."]);
});

test("a tool is approved after a restart of the gateway, and runs once", async () => {
  const { token, url, killAndStart } = await startKillable(files, { workspace: files.path("work") });
  const api = `${url}/ai-sdk/main/chat`;
  const sdk = await loadSdk(6);
  const page = new AiChat({ sdk, api, token, id: "k9", approvals: true });
  await page.chat.sendMessage({ text: 'call: exec {"command":"echo x >> b.txt"}\n---\nsay: Done.' });
  expect(page.lastParts.at(-1)?.state).toBe("approval-requested");
  await killAndStart();
  const again = await page.reload();
  const asked = again.lastParts.findLast(({ state }) => state === "approval-requested");
  expect(asked?.approval?.id).toBe(page.lastParts.at(-1)?.approval?.id);
  await again.chat.addToolApprovalResponse?.({ id: asked?.approval?.id ?? "", approved: true });
  await again.until(() => again.text === "Done." && again.chat.status === "ready");
  expect(again.chat.messages).toHaveLength(2);
  expect(readFileSync(join(files.path("work"), "b.txt"), "utf8")).toBe("x\n");
});
