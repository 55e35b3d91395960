import { existsSync } from "node:fs";
import { join } from "node:path";
import { HttpAgent as HttpAgent1, type Message } from "@ag-ui/client";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { describe, expect, test } from "vitest";
import type { TestGateway } from "../../fakes/gateway.js";
import { AiChat, loadSdk, type UiPart } from "./ai-chat.js";
import { frontGateway, scripted, storedChat } from "./front-gateway.js";

const WRITE = [
  'call: write {"file_path":"b.txt","content":"one"}',
  'call: write {"file_path":"c.txt","content":"two"}',
  "---",
  "say: Done.",
].join("\n");

async function askingGateway(home?: string) {
  const config = scripted();
  const gateway = await frontGateway({ config, ...(home === undefined ? {} : { home }) });
  const workspace = config.agents?.["main"]?.workspace ?? "";
  return { gateway, written: () => ["b.txt", "c.txt"].filter((name) => existsSync(join(workspace, name))) };
}

const tools = (parts: readonly UiPart[]) =>
  parts.flatMap(({ type, state }) => (type === "dynamic-tool" ? [state] : []));

function approvalIn(page: AiChat): string {
  const part = page.lastParts.findLast(({ state }) => state === "approval-requested");
  return part?.approval?.id ?? "";
}

describe.each([6, 7] as const)("AI SDK %i", (version) => {
  const open = async (gateway: TestGateway, id: string) =>
    new AiChat({
      sdk: await loadSdk(version),
      api: `${gateway.url}/ai-sdk/main/chat`,
      token: gateway.admin,
      id,
      approvals: true,
    });

  test("approves one call and denies another, and the page continues by itself", async () => {
    const { gateway, written } = await askingGateway();
    const page = await open(gateway, "a1");
    await page.chat.sendMessage({ text: WRITE });
    expect(page.chat.status).toBe("ready");
    expect(tools(page.lastParts)).toEqual(["approval-requested"]);
    expect(tools((await page.history()).at(-1)?.parts ?? [])).toEqual(["approval-requested"]);
    await page.chat.addToolApprovalResponse?.({ id: approvalIn(page), approved: true });
    await page.until(() => tools(page.lastParts).length === 2 && page.chat.status === "ready");
    expect(tools(page.lastParts)).toEqual(["output-available", "approval-requested"]);
    await page.chat.addToolApprovalResponse?.({ id: approvalIn(page), approved: false });
    await page.until(() => page.text === "Done." && page.chat.status === "ready");
    expect(page.chat.error).toBeUndefined();
    expect(page.chat.messages).toHaveLength(2);
    expect(tools(page.lastParts)).toEqual(["output-available", "output-error"]);
    expect(page.lastParts.map(({ type }) => type)).toEqual([
      ...["step-start", "dynamic-tool", "dynamic-tool"],
      ...["step-start", "text"],
    ]);
    expect(written()).toEqual(["b.txt"]);
    const [, answer] = await page.history();
    expect(answer?.id).toBe(page.chat.messages[1]?.id);
    expect(tools(answer?.parts ?? [])).toEqual(["output-available", "output-error"]);
  });

  test("approves after the page was loaded again", async () => {
    const { gateway, written } = await askingGateway();
    const first = await open(gateway, "a2");
    await first.chat.sendMessage({ text: WRITE.replace(/\n.*c\.txt.*/, "") });
    const page = await first.reload();
    await page.chat.resumeStream();
    expect(tools(page.lastParts)).toEqual(["approval-requested"]);
    expect(written()).toEqual([]);
    await page.chat.addToolApprovalResponse?.({ id: approvalIn(page), approved: true });
    await page.until(() => page.text === "Done." && page.chat.status === "ready");
    expect(written()).toEqual(["b.txt"]);
    expect(page.chat.messages).toHaveLength(2);
  });

  test("shows the rest of an answer that was approved elsewhere", async () => {
    const { gateway, written } = await askingGateway();
    const page = await open(gateway, "a3");
    await page.chat.sendMessage({ text: WRITE.replace(/\n.*c\.txt.*/, "") });
    const { conversation } = await storedChat(gateway, "a3");
    const [request] = await conversation.permissions.pending();
    await conversation.permissions.answer(request?.id ?? "", "once");
    await conversation.idle();
    await page.chat.addToolApprovalResponse?.({ id: approvalIn(page), approved: false });
    await page.until(() => page.text === "Done." && page.chat.status === "ready");
    expect(tools(page.lastParts)).toEqual(["output-available"]);
    expect(page.lastParts.map(({ type }) => type)).toEqual([
      "step-start",
      "dynamic-tool",
      "step-start",
      "text",
    ]);
    expect(written()).toEqual(["b.txt"]);
  });
});

test("a page of AI SDK 5 waits until another client approves", async () => {
  const { gateway, written } = await askingGateway();
  const api = `${gateway.url}/ai-sdk/main/chat`;
  const page = new AiChat({ sdk: await loadSdk(5), api, token: gateway.chat, id: "a4" });
  const sending = page.chat.sendMessage({ text: WRITE.replace(/\n.*c\.txt.*/, "") });
  await page.until(() => tools(page.lastParts)[0] === "input-available");
  const { conversation } = await storedChat(gateway, "a4");
  const asked = new Promise<string>((resolve) => {
    conversation.watch((event) => {
      if (event.type === "permission") resolve(event.request.id);
    });
    void conversation.permissions.pending().then(([request]) => request && resolve(request.id));
  });
  await conversation.permissions.answer(await asked, "once");
  await sending;
  expect(page.text).toBe("Done.");
  expect(written()).toEqual(["b.txt"]);
});

test("an approval of an earlier request does not allow a later call with the same id", async () => {
  const { gateway, written } = await askingGateway();
  const open = { sdk: await loadSdk(6), api: `${gateway.url}/ai-sdk/main/chat`, token: gateway.admin };
  const page = new AiChat({ ...open, id: "a6", approvals: true });
  await page.chat.sendMessage({ text: WRITE });
  const [{ toolCallId } = {}] = page.lastParts.filter(({ type }) => type === "dynamic-tool");
  const part = {
    type: "dynamic-tool",
    toolName: "write",
    toolCallId,
    state: "approval-responded",
    input: {},
  };
  const message = { ...page.chat.messages[1], parts: [{ ...part, approval: { id: "old", approved: true } }] };
  const response = await gateway.fetch("/ai-sdk/main/chat", {
    method: "POST",
    headers: { "x-dragoman-approvals": "true" },
    body: JSON.stringify({ id: "a6", messages: [message], messageId: message.id }),
  });
  expect(await response.text()).toContain('"finishReason":"tool-calls"');
  const { conversation } = await storedChat(gateway, "a6");
  expect(await conversation.permissions.pending()).toHaveLength(1);
  expect(written()).toEqual([]);
});

test("approvals need the scope that they need everywhere", async () => {
  const { gateway } = await askingGateway();
  const sdk = await loadSdk(6);
  const api = `${gateway.url}/ai-sdk/main/chat`;
  const page = new AiChat({ sdk, api, token: gateway.chat, id: "a5", approvals: true });
  await page.chat.sendMessage({ text: "Hi" });
  expect(page.chat.error?.message).toBe("this needs a token with scope admin");
});

describe.each([
  ["1.0.0", HttpAgent1],
  ["0.0.59", HttpAgent0],
] as const)("@ag-ui/client %s", (_, HttpAgent) => {
  test("answers interrupts, and a run without answers is refused", async () => {
    const { gateway, written } = await askingGateway();
    const url = `${gateway.url}/ag-ui/agent/main/run`;
    const agent = new HttpAgent({
      url,
      threadId: "i1",
      headers: { authorization: `Bearer ${gateway.admin}` },
    });
    agent.addMessage({ id: "u1", role: "user", content: WRITE });
    await agent.runAgent();
    const resumeWith = async (payload: object) => {
      const [open] = agent.pendingInterrupts;
      expect(agent.pendingInterrupts).toHaveLength(1);
      await agent.runAgent({
        resume: [{ interruptId: open?.id ?? "", status: "resolved", payload }],
      });
      return open;
    };
    const refused = await gateway.fetch("/ag-ui/agent/main/run", {
      method: "POST",
      body: JSON.stringify({
        threadId: "i1",
        runId: "r9",
        messages: [{ id: "u2", role: "user", content: "And?" }],
      }),
    });
    expect(refused.status).toBe(409);
    const first = await resumeWith({ approved: true });
    expect(first).toMatchObject({ reason: "tool_call", message: "May the agent run write: b.txt?" });
    expect(Date.parse(first?.expiresAt ?? "")).toBeGreaterThan(Date.now());
    await resumeWith({ approved: false });
    expect(agent.pendingInterrupts).toEqual([]);
    expect(written()).toEqual(["b.txt"]);
    const messages = agent.messages as Message[];
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "assistant"]);
    expect(messages.at(-1)?.content).toBe("Done.");
  });
});
