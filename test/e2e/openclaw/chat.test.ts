import { HttpAgent } from "@ag-ui/client";
import { expect, test } from "vitest";
import { agUiProtocol } from "../../../src/gateway/ag-ui/protocol.js";
import { openClawProtocol } from "../../../src/gateway/openclaw/protocol.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { type TestGatewayOptions, testGateway } from "../../fakes/gateway.js";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { SCRIPT, scripted, storedSession, untilText } from "../front-ends/front-gateway.js";
import { OpenClawClient, requireValid, textIn } from "./openclaw-client.js";

const KEY = "agent:main:main";

function clawGateway(options: TestGatewayOptions = {}) {
  return testGateway([openClawProtocol, agUiProtocol, rpc], options);
}

async function storedTexts(gateway: Awaited<ReturnType<typeof clawGateway>>, key = KEY): Promise<string[]> {
  return (await storedSession(gateway, (await gateway.runtime.log.find(key)) ?? "")).texts;
}

test("shows an answer with a tool as it is stored, and again after it has loaded the history", async () => {
  const gateway = await clawGateway({ config: scripted() });
  const client = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  await client.open(KEY);
  expect(await client.send(KEY, SCRIPT, "k1")).toEqual({ runId: "k1", status: "started" });
  const end = await client.ended("k1");
  expect(end.payload["state"]).toBe("final");
  expect(textIn(end)).toBe("It is there.");
  expect(client.streamed("k1")).toBe("It is there.");
  const shown = [
    `user: ${SCRIPT}`,
    "assistant: Let me look.",
    expect.stringMatching(/^toolResult: .*Buy milk\./),
    "assistant: It is there.",
  ];
  expect(client.shown).toEqual(shown);
  expect((await storedTexts(gateway)).slice(1)).toEqual([
    "assistant: Let me look.",
    "assistant: It is there.",
  ]);
  const tools = client.events.filter(({ payload }) => payload["stream"] === "tool");
  expect(tools.map(({ payload }) => (payload["data"] as { phase: string }).phase)).toEqual([
    "start",
    "result",
  ]);
  expect(client.gaps).toEqual([]);
  expect(client.events.flatMap(({ seq }) => seq ?? [])).toEqual(
    client.events.flatMap(({ seq }, index) => (seq === undefined ? [] : index + 1)),
  );

  const other = await OpenClawClient.connect({ url: gateway.url, token: gateway.read });
  const history = await other.open(KEY);
  expect(other.shown).toEqual(shown);
  expect(history["inFlightRun"]).toBeUndefined();
  expect(history["sessionInfo"]).toMatchObject({ key: KEY, hasActiveRun: false, activeRunIds: [] });
});

test("a message is accepted once for each idempotency key", async () => {
  const gateway = await clawGateway({ config: scripted() });
  const client = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  await client.send(KEY, "say: Once.", "k1");
  await client.ended("k1");
  await gateway.runtime.running()[0]?.idle();
  expect(await client.send(KEY, "say: Once.", "k1")).toEqual({ runId: "k1", status: "ok" });
  expect(await storedTexts(gateway)).toEqual(["user: say: Once.", "assistant: Once."]);
});

test("a client that connects mid-answer gets the text so far, and the rest as it streams", async () => {
  const model = new SteppedModel();
  const gateway = await clawGateway({ config: model.config, models: model });
  const first = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  await first.send(KEY, "Count", "k1");
  await model.isAsked(1);
  model.send({ text: "one " });
  await first.until(({ payload }) => payload["deltaText"] === "one ");
  const second = await OpenClawClient.connect({ url: gateway.url, token: gateway.read });
  const history = await second.open(KEY);
  expect(history["inFlightRun"]).toMatchObject({ runId: "k1", text: "one " });
  expect(history["sessionInfo"]).toMatchObject({
    hasActiveRun: true,
    activeRunIds: ["k1"],
    status: "running",
  });
  model.send({ text: "two", stop: "stop" });
  const end = await second.ended("k1");
  expect(textIn(end)).toBe("one two");
  expect(second.streamed("k1")).toBe("two");
  expect(second.shown).toEqual(["user: Count", "assistant: one two"]);
  expect(await storedTexts(gateway)).toEqual(["user: Count", "assistant: one two"]);
});

test("stops an answer, and keeps its text", async () => {
  const model = new SteppedModel();
  const gateway = await clawGateway({ config: model.config, models: model });
  const client = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  await client.open(KEY);
  await client.send(KEY, "Count", "k1");
  await model.isAsked(1);
  model.send({ text: "one two" });
  await client.until(({ payload }) => payload["deltaText"] === "one two");
  expect(await client.request("chat.abort", { sessionKey: KEY, runId: "other" })).toEqual({
    ok: true,
    aborted: false,
    runIds: [],
  });
  expect(await client.request("chat.abort", { sessionKey: KEY, runId: "k1" })).toEqual({
    ok: true,
    aborted: true,
    runIds: ["k1"],
  });
  const end = await client.ended("k1");
  expect(end.payload["state"]).toBe("aborted");
  expect(textIn(end)).toBe("one two");
  expect(client.shown).toEqual(["user: Count", "assistant: one two"]);
  expect(await storedTexts(gateway)).toEqual(["user: Count", "assistant: one two"]);
});

test("a message during a run steers it: its own run ends at once, and the run goes on under its name", async () => {
  const model = new SteppedModel();
  const gateway = await clawGateway({
    config: { ...model.config, ...scripted({ model: "local/m" }) },
    models: model,
  });
  const client = await OpenClawClient.connect({ url: gateway.url, token: gateway.admin });
  await client.send(KEY, "Read", "k1");
  await model.isAsked(1);
  await client.send(KEY, "And hurry", "k2");
  model.send({ call: { id: "c1", name: "read", arguments: '{"file_path":"a.txt"}' }, stop: "tool_calls" });
  await model.isAsked(2);
  expect((await client.ended("k2")).payload).toEqual({
    runId: "k2",
    sessionKey: KEY,
    agentId: "main",
    seq: 1,
    state: "final",
  });
  model.send({ text: "Milk.", stop: "stop" });
  expect(textIn(await client.ended("k1"))).toBe("Milk.");
});

test("clients of two protocols show one session, each the other's answers", async () => {
  const model = new SteppedModel();
  const gateway = await clawGateway({ config: model.config, models: model });
  const key = "agent:main:page:dm:t1";
  const claw = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  await claw.open(key);
  const page = new HttpAgent({
    url: `${gateway.url}/ag-ui/agent/main/run`,
    threadId: "t1",
    headers: { authorization: `Bearer ${gateway.chat}` },
  });
  page.addMessage({ id: "u1", role: "user", content: "One" });
  const running = page.runAgent();
  await model.isAsked(1);
  model.send({ text: "un " });
  await claw.until(({ payload }) => payload["deltaText"] === "un ");
  model.send({ text: "deux", stop: "stop" });
  await running;
  const prompt = await claw.until(({ event }) => event === "session.message");
  const messageId = String(prompt.payload["messageId"]);
  expect(textIn(await claw.ended(messageId))).toBe("un deux");

  await claw.send(key, "Two", "k2");
  await model.isAsked(2);
  model.send({ text: "trois" });
  const viewer = new HttpAgent({
    url: `${gateway.url}/ag-ui/agent/main/connect`,
    threadId: "t1",
    headers: { authorization: `Bearer ${gateway.read}` },
  });
  const seen = untilText("trois");
  const connected = viewer.runAgent({}, seen.subscriber);
  await seen.seen;
  model.send({ text: " quatre", stop: "stop" });
  await connected;
  await claw.ended("k2");
  const texts = ["user: One", "assistant: un deux", "user: Two", "assistant: trois quatre"];
  expect(viewer.messages.map(({ role, content }) => `${role}: ${String(content)}`)).toEqual(texts);
  expect(claw.shown).toEqual(texts);
  expect(await storedTexts(gateway, key)).toEqual(texts);
});

test("lists agents, models and sessions in the shapes of OpenClaw's schemas, and reports changes", async () => {
  const gateway = await clawGateway({ config: scripted() });
  const client = await OpenClawClient.connect({ url: gateway.url, token: gateway.chat });
  requireValid("agents", await client.request("agents.list"));
  const { models } = await client.request("models.list");
  expect(models).toContainEqual(expect.objectContaining({ provider: "demo", id: "script", available: true }));
  expect(await client.request("sessions.subscribe")).toEqual({ subscribed: true });
  await client.send("work", "say: Hi.", "k1");
  const { payload } = await client.until(
    ({ event, payload }) => event === "sessions.changed" && payload["hasActiveRun"] === false,
  );
  expect(payload).toMatchObject({ sessionKey: "agent:main:work", agentId: "main", activeRunIds: [] });
  const list = await client.request("sessions.list", { limit: 1 });
  expect(list).toMatchObject({ count: 1, totalCount: 1, hasMore: false, nextOffset: null });
  expect(list["sessions"]).toEqual([expect.objectContaining({ key: "agent:main:work", status: "done" })]);
});
