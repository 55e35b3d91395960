import { beforeEach, describe, expect, test } from "vitest";
import { isObject } from "../../../src/core/json/value.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { openHome } from "../../../src/log/files/home.js";
import { Feed } from "../../../src/runtime/feed.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { RpcSocket } from "../../fakes/rpc-socket.js";
import { SteppedModel } from "../../fakes/stepped-model.js";

const sessionKey = "agent:main:telegram:dm:123456789";
/** The request of the format's own page. */
const request = {
  jsonrpc: "2.0",
  id: 1,
  method: "agent",
  params: {
    message: { Text: "Hello!", From: "123456789", To: "987654321", ChatType: "direct" },
    channel: "telegram",
    accountId: "default",
  },
};

let model: SteppedModel;
let gateway: TestGateway;

beforeEach(async () => {
  model = new SteppedModel();
  gateway = await testGateway([rpc], { config: model.config, models: { fetch: model.fetch } });
});

const open = (token = gateway.chat) => RpcSocket.open(gateway.host, token);

/** What a frame is, in short. */
function kindOf({ id, event, data }: Record<string, unknown>): string {
  if (event === undefined) return `answer ${id}`;
  if (!isObject(data)) return "";
  const { seq, state, stream, data: step } = data;
  if (event === "chat" || !isObject(step)) return `chat ${seq} ${state}`;
  const { type, assistantMessageEvent: update } = step;
  return `${event} ${seq} ${stream} ${isObject(update) ? update["type"] : type}`;
}

const kinds = (socket: RpcSocket) => socket.frames.map(kindOf);
const isFinal = ({ event, data }: Record<string, unknown>) =>
  event === "chat" && isObject(data) && data["state"] === "final";

async function answer(times: number, text = "Hi"): Promise<void> {
  await model.isAsked(times);
  model.send({ text });
  model.send({ stop: "stop" });
}

const whole = [
  "agent 1 lifecycle run_start",
  "agent 2 lifecycle agent_start",
  "agent 3 lifecycle turn_start",
  "agent 4 lifecycle message_start",
  "agent 5 lifecycle message_end",
  "agent 6 assistant message_start",
  "agent 7 assistant text_start",
  "agent 8 assistant text_delta",
  "chat 1 delta",
  "agent 9 assistant text_end",
  "agent 10 assistant message_end",
  "agent 11 lifecycle turn_end",
  "agent 12 lifecycle agent_end",
  "agent 13 lifecycle run_end",
  "chat 2 final",
];

describe("whoever sends a message receives the run that answers it", () => {
  test("without a subscription: its answer first, then every event once", async () => {
    const socket = await open();
    socket.send(JSON.stringify(request));
    await answer(1);
    await socket.until(isFinal);
    expect(kinds(socket)).toEqual(["answer 1", ...whole]);
    expect(socket.events("agent")[7]).toEqual({
      runId: socket.events("agent")[0]?.["runId"],
      sessionKey,
      stream: "assistant",
      seq: 8,
      data: {
        type: "message_update",
        assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: "Hi" },
        text: "Hi",
      },
    });
  });

  test("by chat.send as well, and no other run of the session", async () => {
    const [one, two] = [await open(), await open()];
    const sent = await one.call("chat.send", { sessionKey, text: "one" });
    await answer(1);
    await one.until(isFinal);
    await two.call("chat.send", { sessionKey, text: "two" });
    await answer(2);
    await two.until(isFinal);
    expect(kinds(one)).toEqual(["answer 1", ...whole]);
    expect(kinds(two)).toEqual(["answer 1", ...whole]);
    expect(new Set(one.events("agent").map(({ runId }) => runId))).toEqual(new Set([sent["runId"]]));
  });

  test("each event once where the client has subscribed to the session, too", async () => {
    const socket = await open();
    await socket.call("sessions.create", { key: sessionKey });
    await socket.call("chat.subscribe", { sessionKey, events: ["agent"] });
    await socket.call("chat.send", { sessionKey, text: "one" });
    await answer(1);
    await socket.until((frame) => kindOf(frame) === "agent 13 lifecycle run_end");
    await socket.call("health");
    expect(kinds(socket).filter((kind) => !kind.startsWith("answer"))).toEqual(
      whole.filter((kind) => kind.startsWith("agent")),
    );
  });

  test("two messages in one run, and no event twice", async () => {
    const socket = await open();
    await socket.call("chat.send", { sessionKey, text: "one" });
    await model.isAsked(1);
    await socket.call("chat.send", { sessionKey, text: "and two", mode: "steer" });
    await answer(1);
    await answer(2);
    await socket.until(isFinal);
    const seqs = socket.events("agent").map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(new Set(socket.events("agent").map(({ runId }) => runId)).size).toBe(1);
  });

  test("a message that a run under way takes in joins that run there", async () => {
    const [one, two] = [await open(), await open()];
    await one.call("chat.send", { sessionKey, text: "one" });
    await model.isAsked(1);
    await two.call("chat.send", { sessionKey, text: "two", mode: "followup" });
    await answer(1);
    await answer(2);
    await two.until(isFinal);
    expect(two.events("agent").map(({ seq }) => seq)).toEqual([
      10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
    ]);
    expect(two.events("chat").map(({ seq }) => seq)).toEqual([2, 3]);
  });

  test("a message that waits for a run of its own receives that one, from its first event", async () => {
    const [one, two] = [await open(), await open()];
    await one.call("chat.send", { sessionKey, text: "one" });
    await model.isAsked(1);
    await two.call("chat.send", { sessionKey, text: "two", mode: "interrupt" });
    await answer(2);
    await two.until(isFinal);
    expect(kinds(two)).toEqual(["answer 1", ...whole]);
    expect(one.events("chat").at(-1)).toMatchObject({ state: "aborted" });
  });

  test("sent again, it joins the run that answers it, and receives nothing of one that has ended", async () => {
    const [one, two, late] = [await open(), await open(), await open()];
    const said = { sessionKey, text: "one", idempotencyKey: "k" };
    await one.call("chat.send", said);
    await model.isAsked(1);
    model.send({ text: "H" });
    await one.until(({ event }) => event === "chat");
    await two.call("chat.send", said);
    await answer(1, "i");
    await two.until(isFinal);
    expect(kinds(two).slice(0, 2)).toEqual(["answer 1", "agent 5 lifecycle message_end"]);
    expect(two.events("agent").map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    await late.call("chat.send", said);
    await late.call("health");
    expect(kinds(late)).toEqual(["answer 1", "answer 2"]);
    expect(model.asked).toHaveLength(1);
  });

  test("a message that is refused leaves nothing behind", async () => {
    const socket = await open();
    await socket.respond("chat.send", { sessionKey: "agent:nobody:main", text: "x" });
    expect(kinds(socket)).toEqual(["answer 1"]);
  });
});

describe("a session that does not exist yet", () => {
  test("can be subscribed to, and is told from its first line on", async () => {
    const [watcher, socket] = [await open(gateway.read), await open()];
    expect(
      await watcher.call("chat.subscribe", { sessionKey: "agent:main:telegram:direct:123456789" }),
    ).toEqual({
      sessionKey,
      messages: [],
      live: true,
      cursor: { position: 0 },
      permissions: [],
    });
    socket.send(JSON.stringify(request));
    await answer(1);
    await watcher.until(isFinal);
    await watcher.until(({ data }) =>
      JSON.stringify(data ?? "").includes('"role":"assistant","content":[{"type":"text","text":"Hi"}]'),
    );
    expect(watcher.events("agent").map(({ seq }) => seq)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    ]);
    expect(watcher.events("message").map(({ message }) => isObject(message) && message["role"])).toEqual([
      "session",
      "user",
      "assistant",
    ]);
  });

  test("that another process makes is told from its first line on, also when it is followed here already", async () => {
    const watcher = await open(gateway.read);
    await watcher.call("chat.subscribe", { sessionKey, events: ["message"] });
    const elsewhere = await openHome(gateway.home).create({ agent: "main", key: sessionKey });
    await elsewhere.append([{ role: "user", content: "one", timestamp: 1 }]);
    const conversation = await gateway.runtime.open(elsewhere.id);
    const ignored = () => undefined;
    const feed = Feed.follow(conversation, { onEntry: ignored, onEvent: ignored, onFailure: ignored });
    await feed.ready;
    await conversation.describe({ title: "Two" });
    await watcher.until(({ data }) => JSON.stringify(data ?? "").includes('"title":"Two"'));
    expect(watcher.events("message").map(({ message }) => isObject(message) && message["role"])).toEqual([
      "session",
      "user",
      "custom",
    ]);
    await elsewhere.close();
  });

  test("can be left again before it exists", async () => {
    const [watcher, socket] = [await open(), await open()];
    await watcher.call("chat.subscribe", { sessionKey });
    expect(await watcher.call("chat.unsubscribe", { sessionKey })).toEqual({ unsubscribed: true });
    await socket.call("chat.send", { sessionKey, text: "one" });
    await answer(1);
    await socket.until(isFinal);
    await watcher.call("health");
    expect(kinds(watcher)).toEqual(["answer 1", "answer 2", "answer 3"]);
    expect(await watcher.call("chat.unsubscribe", { sessionKey })).toEqual({ unsubscribed: false });
  });

  test("needs an agent that exists, and a cursor in it needs a session", async () => {
    const socket = await open();
    const refused = { error: { code: -32002 } };
    expect(await socket.respond("chat.subscribe", { sessionKey: "agent:nobody:main" })).toMatchObject(
      refused,
    );
    expect(await socket.respond("chat.subscribe", { sessionKey, after: { position: 9 } })).toMatchObject(
      refused,
    );
  });

  test("is subscribed to once: the client that starts its run receives each event once", async () => {
    const socket = await open();
    await socket.call("chat.subscribe", { sessionKey, events: ["agent", "chat"] });
    await socket.call("chat.send", { sessionKey, text: "one" });
    await answer(1);
    await socket.until(isFinal);
    await socket.call("health");
    expect(kinds(socket).filter((kind) => !kind.startsWith("answer"))).toEqual(whole);
  });
});
