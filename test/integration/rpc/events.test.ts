import { beforeEach, describe, expect, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import type { Gateway } from "../../../src/gateway/types.js";
import { wire } from "../../../src/protocol/checks.js";
import { Runtime } from "../../../src/runtime/runtime.js";
import { cuttingProxy } from "../../fakes/cutting-proxy.js";
import { type TestGateway, type TestGatewayOptions, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";
import { eventsIn, Viewer } from "../../fakes/rpc-viewer.js";

const sessionKey = "agent:main:main";
const script = 'think: let me see\nsay: one two three\ncall: read {"path":"no.txt"}\n---\nsay: four five';
/** Whatever is seen of it, and however: this is what was said. */
const transcript = ["user", "assistant: let me see|one two three|read", "toolResult", "assistant: four five"];

let gateway: TestGateway;
/** What its protocol was given. */
let given: Gateway;

function start(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const limits = { requestsPerMinute: 10_000, ...options.config?.gateway?.limits };
  const protocol = (inside: Gateway) => {
    given = inside;
    return rpc(inside);
  };
  return testGateway([protocol], {
    now: () => 1_740_000_000_000,
    ...options,
    config: { model: "demo/script", gateway: { limits } },
  });
}

beforeEach(async () => {
  gateway = await start();
});

function open(token = gateway.admin): Promise<RpcSocket> {
  return RpcSocket.open(gateway.host, token);
}

const isEnd = ({ event, data }: Record<string, unknown>) =>
  event === "agent" && JSON.stringify(data).includes('"type":"run_end"');

const isToolStart = ({ data }: Record<string, unknown>) =>
  JSON.stringify(data ?? "").includes('"tool_execution_start"');

const update = (assistantMessageEvent: object) => ({ type: "message_update", assistantMessageEvent });

/** Runs the script while somebody watches from the beginning; returns what they were sent. */
async function watched(): Promise<RpcSocket> {
  const socket = await open();
  await socket.call("sessions.create", { key: sessionKey });
  await socket.call("chat.subscribe", { sessionKey });
  await socket.call("chat.send", { sessionKey, text: script });
  await socket.until(isEnd);
  return socket;
}

describe("events", () => {
  test("of a run are as the seed shows them, counted without gaps", async () => {
    const socket = await watched();
    const agent = socket.events("agent");
    expect(agent.map(({ seq }) => seq)).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1));
    const [first] = agent.filter(({ stream }) => stream === "assistant").slice(1);
    expect(agent[0]).toMatchObject({ sessionKey, stream: "lifecycle", seq: 1, data: { type: "run_start" } });
    expect(first).toMatchObject({ stream: "assistant", data: update({ type: "text_start" }) });
    expect([...new Set(agent.map(({ stream }) => stream))]).toEqual([
      "lifecycle",
      "assistant",
      "thinking",
      "tool",
    ]);
    await socket.until(({ event, data }) => event === "chat" && JSON.stringify(data).includes('"final"'));
    const chat = socket.events("chat");
    expect(chat.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(chat.map(({ state, offset }) => [state, offset])).toEqual([
      ["delta", 0],
      ["delta", 3],
      ["delta", 7],
      ["delta", 0],
      ["delta", 4],
      ["final", undefined],
    ]);
    expect(chat[0]).toEqual({
      runId: agent[0]?.["runId"],
      sessionKey,
      seq: 1,
      state: "delta",
      offset: 0,
      message: {
        role: "assistant",
        content: [{ type: "text", text: "one" }],
        timestamp: 1_740_000_000_000,
      },
    });
    expect(chat[5]).toMatchObject({ message: { content: [{ type: "text", text: "four five" }] } });
  });

  test("all fit their published schema", async () => {
    const socket = await watched();
    expect(eventsIn(socket.frames).length).toBeGreaterThan(25);
  });

  test("grow with the answer and no faster", async () => {
    const socket = await open();
    await socket.call("sessions.create", { key: sessionKey });
    await socket.call("chat.subscribe", { sessionKey });
    const text = `say: ${"word ".repeat(2_000)}`;
    await socket.call("chat.send", { sessionKey, text });
    await socket.until(isEnd);
    const bytes = socket.frames.reduce((sum, frame) => sum + JSON.stringify(frame).length, 0);
    expect(bytes).toBeLessThan(2_000 * 700);
  });

  test.each([
    ["say: half\nstall", "aborted"],
    ["fail: 400", "error"],
  ])("of %j end with %s", async (text, state) => {
    const socket = await open();
    await socket.call("sessions.create", { key: sessionKey });
    await socket.call("chat.subscribe", { sessionKey });
    await socket.call("chat.send", { sessionKey, text });
    if (state === "aborted") {
      await socket.until(({ event }) => event === "chat");
      expect(await socket.call("chat.abort", { sessionKey, runId: "another" })).toEqual({ aborted: false });
      expect(await socket.call("chat.abort", { sessionKey })).toMatchObject({ aborted: true });
    }
    const last = await socket.until(
      ({ event, data }) => event === "chat" && !JSON.stringify(data).includes('"delta"'),
    );
    expect(last).toMatchObject({ event: "chat", data: { state } });
  });

  test("of a run that fails have an assistant message with a list as content", async () => {
    const socket = await open();
    await socket.call("sessions.create", { key: sessionKey });
    await socket.call("chat.subscribe", { sessionKey });
    await socket.call("chat.send", { sessionKey, text: "fail: 401" });
    await socket.until(isEnd);
    const why = "HTTP 401: as the script says";
    expect(socket.events("chat").at(-1)).toMatchObject({
      state: "error",
      message: { role: "assistant", content: [], stopReason: "error", errorMessage: why },
      errorMessage: why,
    });
    const steps = socket.events("agent");
    expect(
      steps.find(({ data }) => JSON.stringify(data).includes('"message_end","message":{"role":"assistant"')),
    ).toMatchObject({
      stream: "error",
      data: { message: { error: { message: why, code: "provider/http" } } },
    });
  });

  test("of a session come only to those who subscribed to it, of the names they asked for", async () => {
    const [one, two] = [await open(), await open()];
    await one.call("sessions.create", { key: sessionKey });
    await one.call("sessions.create", { key: "agent:main:other" });
    await one.call("chat.subscribe", { sessionKey, events: ["chat"] });
    await two.call("chat.subscribe", { sessionKey: "agent:main:other" });
    await one.call("chat.send", { sessionKey, text: "say: hi" });
    await one.until(({ event, data }) => event === "chat" && JSON.stringify(data).includes('"final"'));
    expect(one.events("agent")).toEqual([]);
    expect(eventsIn(two.frames)).toEqual([]);
    expect(await one.call("chat.unsubscribe", { sessionKey })).toEqual({ unsubscribed: true });
    expect(await one.call("chat.unsubscribe", { sessionKey })).toEqual({ unsubscribed: false });
  });
});

/** The numbers of the events of the script's run. */
const EVENTS = 35;

describe("whoever comes later", () => {
  test.each(Array.from({ length: EVENTS }, (_, index) => index + 1))(
    "at event %i sees the same",
    async (at) => {
      const first = await open();
      await first.call("sessions.create", { key: sessionKey });
      const conversation = await gateway.runtime.open(String(await gateway.runtime.log.find(sessionKey)));
      const late = await open();
      // The very moment counts, so the second asks in the tick of the event, not when the first was told of it.
      const asked = new Promise<Record<string, unknown>>((resolve) => {
        const stop = conversation.watch((event) => {
          if (!("seq" in event) || event.seq !== at) return;
          stop();
          resolve(late.call("chat.subscribe", { sessionKey, after: { position: 0 } }));
        });
      });
      if (at % 2 === 0) await first.call("chat.subscribe", { sessionKey });
      await first.call("chat.send", { sessionKey, text: script });
      const viewer = new Viewer();
      viewer.answer(await asked);
      await conversation.idle();
      await late.call("health");
      for (const event of eventsIn(late.frames)) viewer.see(event);
      expect(viewer.problems).toEqual([]);
      expect(viewer.told).toEqual(transcript);
    },
  );

  test("in a run that nobody has listened to sees what was said", async () => {
    const conversation = await gateway.runtime.begin({ key: sessionKey });
    const begun = new Promise<void>((resolve) => {
      conversation.watch((event) => {
        if (event.type === "agent" && event.event.type === "message_update") {
          if (event.event.assistantMessageEvent.type === "text_end") resolve();
        }
      });
    });
    await conversation.send({ role: "user", content: "think: hm\nsay: a b c\nstall", timestamp: 1 });
    await begun;
    const socket = await open();
    const { run } = await socket.call("chat.subscribe", { sessionKey });
    await socket.until(({ event }) => event === "chat");
    const { runId } = conversation;
    expect(run).toMatchObject({ runId, chatSeq: 0 });
    expect(socket.events("chat")).toMatchObject([
      { seq: 1, offset: 0, message: { content: [{ text: "a b c" }] } },
    ]);
    expect(socket.events("agent").map(({ data }) => data)).toEqual([
      { type: "message_start", message: { role: "assistant", id: expect.any(String) } },
      update({ type: "thinking_delta", contentIndex: 0, delta: "hm" }),
      { ...update({ type: "text_delta", contentIndex: 1, delta: "a b c" }), text: "a b c" },
    ]);
  });
});

describe("whoever comes back", () => {
  test("after any event goes on there, without a gap or a repeat", async () => {
    const text = script.replace('read {"path":"no.txt"}', 'exec {"command":"true"}');
    const told = transcript.map((line) => line.replace("read", "exec"));
    let [waits, cuts] = [0, 0];
    for (let isOver = false; !isOver; cuts++) {
      const again = `agent:main:again-${cuts}`;
      let left = cuts;
      const proxy = await cuttingProxy(
        gateway.host,
        (frame) => !/^{"event":"(agent|message)"/.test(frame) || left-- !== 0,
      );
      const [first, second] = [await RpcSocket.open(proxy.host, gateway.admin), await open()];
      await second.call("sessions.create", { key: again });
      await second.call("chat.subscribe", { sessionKey: again, events: ["permission"], asks: true });
      const wanted = { sessionKey: again, events: ["agent", "message"] };
      const viewer = new Viewer();
      viewer.answer(await first.call("chat.subscribe", wanted));
      await second.call("chat.send", { sessionKey: again, text });
      // The run waits here until somebody answers: whoever was cut off before comes back in the middle of it.
      const asked = await second.until(({ event }) => event === "permission");
      const { id } = Object(asked["data"]).request;
      const permit = () => second.call("permission.answer", { sessionKey: again, id, answer: "never" });
      const isBefore = !(await first.sees(isToolStart));
      if (!isBefore) {
        await permit();
        isOver = await first.sees(isEnd);
      }
      for (const event of eventsIn(first.frames)) viewer.see(event);
      const third = await open();
      const answer = await third.call("chat.subscribe", { ...wanted, after: viewer.cursor });
      viewer.answer(answer);
      if (isBefore) {
        expect(answer["run"]).toBeDefined();
        waits++;
        await permit();
      }
      const conversation = await gateway.runtime.open(String(await gateway.runtime.log.find(again)));
      await conversation.idle();
      await third.call("health");
      for (const event of eventsIn(third.frames)) viewer.see(event);
      expect(viewer.problems).toEqual([]);
      expect(viewer.told).toEqual(told);
      for (const socket of [first, second, third]) socket.close();
    }
    expect([waits, cuts]).toEqual([23, 43]);
  });

  test("after a restart gets what was stored, and is told nothing of a run that is gone", async () => {
    const socket = await open();
    await socket.call("sessions.create", { key: sessionKey });
    await socket.call("chat.subscribe", { sessionKey });
    const { runId } = await socket.call("chat.send", { sessionKey, text: "say: half\nstall" });
    await socket.until(({ event }) => event === "chat");
    const viewer = new Viewer();
    for (const event of eventsIn(socket.frames)) viewer.see(event);
    expect(viewer.cursor).toMatchObject({ runId });
    await gateway.stop();
    gateway = await start({ home: gateway.home });
    const later = await open();
    const answer = await later.call("chat.subscribe", { sessionKey, after: viewer.cursor });
    viewer.answer(answer);
    expect(answer).toMatchObject({ live: true, permissions: [] });
    expect(answer["run"]).toBeUndefined();
    expect(answer["ended"]).toBeUndefined();
    expect([viewer.problems, viewer.told]).toEqual([[], ["user", "assistant: half"]]);
  });

  test("with more behind them than one answer holds asks again", async () => {
    gateway = await start({ config: { gateway: { limits: { unreadBytes: 4_000 } } } });
    const socket = await open();
    await socket.call("sessions.create", { key: sessionKey });
    const { session } = await gateway.runtime.open(String(await gateway.runtime.log.find(sessionKey)));
    for (let count = 0; count < 40; count++) {
      await session.append([{ role: "user", content: `message ${count} ${"x".repeat(100)}`, timestamp: 1 }]);
    }
    const seen: number[] = [];
    let cursor: unknown = { position: 0 };
    let answers = 0;
    for (let live = false; !live; answers++) {
      const answer = wire.parse(
        "RpcChatSubscribeResult",
        await socket.call("chat.subscribe", { sessionKey, after: cursor }),
      );
      seen.push(...answer.messages.map(({ position }) => position));
      ({ live, cursor } = answer);
    }
    expect(answers).toBeGreaterThan(3);
    expect([seen.length, new Set(seen).size]).toEqual([41, 41]);
  });

  test("with a place that is none is told so", async () => {
    const socket = await open();
    await socket.call("sessions.create", { key: sessionKey });
    for (const position of [7, 1_000_000]) {
      expect(await socket.respond("chat.subscribe", { sessionKey, after: { position } })).toMatchObject({
        error: { code: -32602, data: { code: "log/bad-position" } },
      });
    }
  });
});

test("an event is written once for all who listen", async () => {
  const sent: unknown[][] = [[], []];
  const [route] = rpc(given).sockets ?? [];
  for (const frames of sent) {
    let ask: (text: string) => void = () => undefined;
    const subscribed = new Promise<void>((resolve) => {
      route?.open(
        {
          caller: { token: "t", scope: "admin", address: "" },
          send: (frame) => {
            if (typeof frame === "string") resolve();
            else frames.push(frame);
          },
          drained: async () => undefined,
          charge: () => true,
          close: () => undefined,
          onMessage: (listener) => {
            ask = listener;
          },
          onClose: () => undefined,
        },
        { id: "1", url: new URL("http://localhost"), params: {}, headers: {} },
      );
    });
    await gateway.runtime.begin({ key: sessionKey });
    ask(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "chat.subscribe", params: { sessionKey } }));
    await subscribed;
  }
  const conversation = await gateway.runtime.begin({ key: sessionKey });
  await conversation.send({ role: "user", content: "say: hi", timestamp: 1 });
  await conversation.idle();
  const [one = [], two = []] = sent;
  expect(one.length).toBeGreaterThan(10);
  expect(one.every((frame, index) => frame === two[index])).toBe(true);
});

test("what another process appends is told, in the order of the log", async () => {
  const socket = await open();
  await socket.call("sessions.create", { key: sessionKey });
  await socket.call("chat.subscribe", { sessionKey });
  const other = new Runtime({ home: gateway.home, config: { model: "demo/echo" } });
  const conversation = await other.begin({ key: sessionKey });
  await conversation.send({ role: "user", content: "from elsewhere", timestamp: 1 });
  await conversation.idle();
  await socket.until(({ data }) => JSON.stringify(data ?? "").includes('"role":"assistant"'));
  expect(socket.events("message").map(({ message }) => Object(message).role)).toEqual(["user", "assistant"]);
  await other.close();
});

test("a permission is asked of those who can answer, and answered once", async () => {
  const [admin, reader] = [await open(), await open(gateway.read)];
  await admin.call("sessions.create", { key: sessionKey });
  await reader.call("chat.subscribe", { sessionKey });
  await admin.call("chat.subscribe", { sessionKey, asks: true });
  await admin.call("chat.send", { sessionKey, text: 'call: exec {"command":"true"}\n---\nsay: done' });
  const asked = await admin.until(({ event }) => event === "permission");
  const { request } = Object(asked["data"]);
  expect(request).toMatchObject({ toolCall: { name: "exec" }, subject: "true" });
  const late = await open();
  expect(await late.call("chat.subscribe", { sessionKey })).toMatchObject({
    permissions: [{ id: request.id }],
  });
  const answer = { sessionKey, id: request.id, answer: "once" };
  expect(await admin.call("permission.answer", answer)).toEqual({ answered: true });
  expect(await admin.call("permission.answer", answer)).toEqual({ answered: false });
  await reader.until(({ event, data }) => event === "permission" && Object(data).state === "answered");
  await reader.until(isEnd);
  expect(reader.events("message").map(({ message }) => Object(message).isError)).toContain(false);
});
