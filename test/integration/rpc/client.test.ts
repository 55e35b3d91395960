import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { connectDragoman, type DragomanClient, type WatchEvent } from "../../../src/client/index.js";
import type { AgentMessage } from "../../../src/core/types.js";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { cuttingProxy } from "../../fakes/cutting-proxy.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import type { TcpProxy } from "../../fakes/tcp-proxy.js";

const sessionKey = "agent:main:main";
let gateway: TestGateway;
let proxy: TcpProxy;
/** It is good for every gateway of this home. */
let token: string;
let client: DragomanClient | undefined;

function start(home?: string): Promise<TestGateway> {
  return testGateway([rpc], {
    config: { model: "demo/script", gateway: { limits: { requestsPerMinute: 10_000 } } },
    ...(home === undefined ? {} : { home }),
  });
}

beforeEach(async () => {
  gateway = await start();
  token = (await gateway.tokens.create("client", "admin")).secret;
});

afterEach(() => client?.close());

/** A clock that does not make anybody wait, and says for how long they would have. */
function impatient(pauses: number[] = []) {
  return {
    random: () => 1,
    after(ms: number, callback: () => void) {
      pauses.push(ms);
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
}

/** Its connections can be cut: what `mayPass` refuses is the last it hears. */
async function begin(
  mayPass?: (frame: string) => boolean,
  { pauses = [], as = token }: { pauses?: number[]; as?: string } = {},
): Promise<DragomanClient> {
  proxy = await cuttingProxy(gateway.host, mayPass);
  const url = `ws://${proxy.host}/rpc`;
  client = await connectDragoman({ url, token: as, WebSocket, world: impatient(pauses) });
  return client;
}

function wordsOf(message: AgentMessage): string | undefined {
  switch (message.role) {
    case "user":
      return `user: ${message.content}`;
    case "assistant":
      return `assistant: ${message.content.map((block) => (block.type === "text" ? block.text : block.type)).join("|")}`;
    case "toolResult":
      return "toolResult";
    default:
      return undefined;
  }
}

/** Watches until so many answers are stored; returns the messages, and what was wrong with the deltas that led to them. */
async function transcript(
  events: AsyncIterable<WatchEvent>,
  answers: number,
): Promise<{ messages: string[]; problems: string[]; lost: number }> {
  const messages: string[] = [];
  const problems: string[] = [];
  let [live, stored, lost] = ["", 0, 0];
  for await (const event of events) {
    if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") {
      live += event.assistantMessageEvent.delta;
    }
    if (event.type === "connection" && event.state === "lost") lost++;
    if (event.type === "message") {
      const words = wordsOf(event.message);
      if (words !== undefined) messages.push(words);
      if (event.message.role === "assistant") {
        if (words?.startsWith(`assistant: ${live}`) !== true) problems.push(`${live} is not of ${words}`);
        live = "";
        if (++stored === answers) break;
      }
    }
  }
  return { messages, problems, lost };
}

const said = (text: string, answer: string) => [`user: say: ${text}`, `assistant: ${answer}`];

describe("a connection that is cut at random", () => {
  let cuts = 0;

  test.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    "leaves the same transcript (seed %i)",
    async (seed) => {
      let state = seed * 2_654_435_761;
      const random = () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state / 2 ** 32;
      };
      let calm = true;
      const dragoman = await begin(() => calm || random() > 0.25);
      await dragoman.call("sessions.create", { key: sessionKey });
      const watching = transcript(dragoman.watch(sessionKey, { after: 0 }), 3);
      calm = false;
      for (const text of ["one two three", "four five six seven", "eight nine"]) {
        const { runId } = await dragoman.send(sessionKey, `say: ${text}`);
        const conversation = await gateway.runtime.begin({ key: sessionKey });
        if (conversation.runId === runId) await conversation.idle();
      }
      calm = true;
      proxy.cut();
      const { messages, problems, lost } = await watching;
      cuts += lost;
      expect(problems).toEqual([]);
      expect(messages).toEqual([
        ...said("one two three", "one two three"),
        ...said("four five six seven", "four five six seven"),
        ...said("eight nine", "eight nine"),
      ]);
    },
  );

  test("was really cut", () => {
    // Twelve are the last ones of each seed.
    expect(cuts).toBeGreaterThan(16);
  });
});

test("what was sent is stored once, though the answer to it was lost", async () => {
  let lose = 2;
  const dragoman = await begin((frame) => !frame.includes('"accepted"') || lose-- <= 0);
  const { messageId } = await dragoman.send(sessionKey, "say: hi");
  const { messages } = await dragoman.call("chat.history", { sessionKey });
  const users = messages.filter(({ message }) => message.role === "user");
  expect(users.map(({ message }) => message.id)).toEqual([messageId]);
  expect(lose).toBe(-1);
});

test("what was asked when the connection is lost is rejected: nobody knows what became of it", async () => {
  const dragoman = await begin((frame) => !frame.includes('"status":"ok"'));
  await expect(dragoman.call("health", {})).rejects.toMatchObject({ code: "client/disconnected" });
  expect(await dragoman.call("agents.list", {})).toMatchObject({ agents: [{ id: "main" }] });
});

test("what the server refuses is rejected with its code", async () => {
  const dragoman = await begin(undefined, { as: gateway.read });
  await expect(dragoman.call("chat.send", { sessionKey, text: "x" })).rejects.toMatchObject({
    code: "client/refused",
    message: '"chat.send" needs the scope "chat"',
    details: { code: -32001 },
  });
  const watching = dragoman.watch("agent:nobody:main")[Symbol.asyncIterator]();
  await expect(watching.next()).rejects.toMatchObject({ details: { code: -32002 } });
});

test("a token that is not accepted is told at once", async () => {
  await expect(begin(undefined, { as: "dgm_wrong" })).rejects.toMatchObject({
    code: "client/disconnected",
    details: { code: 1006 },
  });
});

test("a server that is away is asked less and less often, and found again", async () => {
  const pauses: number[] = [];
  const dragoman = await begin(undefined, { pauses });
  await gateway.stop();
  await expect.poll(() => pauses.length).toBeGreaterThan(8);
  expect(pauses.slice(0, 8)).toEqual([250, 500, 1000, 2000, 4000, 8000, 15000, 15000]);
  const waiting = dragoman.call("health", {});
  gateway = await start(gateway.home);
  proxy.leadTo(gateway.host);
  expect(await waiting).toMatchObject({ status: "ok" });
});

test("whoever knows that the server is there need not wait for the next attempt", async () => {
  proxy = await cuttingProxy(gateway.host);
  const pauses: number[] = [];
  const after = (ms: number) => {
    pauses.push(ms);
    return () => undefined;
  };
  const url = `ws://${proxy.host}/rpc`;
  client = await connectDragoman({ url, token, WebSocket, world: { random: () => 1, after } });
  proxy.cut();
  await expect.poll(() => pauses).toEqual([250]);
  client.hurry();
  expect(await client.call("health", {})).toMatchObject({ status: "ok" });
});

test("a server that was started anew in mid-answer: the run is over, what was stored is there", async () => {
  const dragoman = await begin();
  await dragoman.call("sessions.create", { key: sessionKey });
  const events: WatchEvent[] = [];
  const { runId } = await dragoman.send(sessionKey, "say: half\nstall");
  for await (const event of dragoman.watch(sessionKey, { after: 0 })) {
    events.push(event);
    if (event.type === "message_update" && "delta" in event.assistantMessageEvent) {
      await gateway.stop();
      gateway = await start(gateway.home);
      proxy.leadTo(gateway.host);
    }
    if (event.type === "run_end") break;
  }
  expect(events.flatMap((event) => (event.type === "message" ? (wordsOf(event.message) ?? []) : []))).toEqual(
    ["user: say: half\nstall", "assistant: half"],
  );
  expect(events.at(-1)).toEqual({ type: "run_end", runId, outcome: "unknown" });
});

test("a permission is asked for and given", async () => {
  const dragoman = await begin();
  await dragoman.call("sessions.create", { key: sessionKey });
  const seen: string[] = [];
  const sent = dragoman.send(sessionKey, 'call: exec {"command":"true"}\n---\nsay: done');
  for await (const event of dragoman.watch(sessionKey, { after: 0, asks: true })) {
    if (event.type === "permission") seen.push(event.state);
    if ("toolCallId" in event) seen.push(event.type);
    if (event.type === "permission" && event.state === "asked") {
      await dragoman.call("permission.answer", { sessionKey, id: event.request.id, answer: "once" });
    }
    if (event.type === "run_end") break;
  }
  await sent;
  expect(seen.filter((name) => name !== "tool_execution_update")).toEqual([
    "tool_execution_start",
    "asked",
    "answered",
    "tool_execution_end",
  ]);
});

test("a session is watched by one loop at a time, and closing ends it", async () => {
  const dragoman = await begin();
  await dragoman.call("sessions.create", { key: sessionKey });
  const watching = transcript(dragoman.watch(sessionKey), 1);
  expect(() => dragoman.watch(sessionKey)).toThrow("agent:main:main is already being watched");
  dragoman.close();
  expect((await watching).messages).toEqual([]);
  await expect(dragoman.call("health", {})).rejects.toMatchObject({ code: "client/closed" });
});

test("a loop is ended from outside, and the session can be watched again at once", async () => {
  const dragoman = await begin();
  await dragoman.call("sessions.create", { key: sessionKey });
  const leaving = new AbortController();
  const watching = transcript(dragoman.watch(sessionKey, { signal: leaving.signal }), 1);
  leaving.abort();
  const again = transcript(dragoman.watch(sessionKey), 1);
  expect((await watching).messages).toEqual([]);
  await dragoman.send(sessionKey, "say: Hello");
  expect((await again).messages).toEqual(["user: say: Hello", "assistant: Hello"]);
});

test("what is not understood ends the connection instead of being passed over", async () => {
  const strange = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "dragoman.v1" });
  const frames = [
    '{"jsonrpc":"2.0","id":1,"result":{"protocol":3}}',
    "no JSON",
    '{"event":"agent","data":{}}',
  ];
  strange.on("connection", (socket) => socket.on("message", () => socket.send(frames.shift() ?? "")));
  await new Promise((resolve) => strange.once("listening", resolve));
  const { port } = Object(strange.address());
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(
      connectDragoman({ url: `ws://127.0.0.1:${port}`, token: "t", WebSocket, world: impatient() }),
    ).rejects.toMatchObject({ code: "client/bad-frame" });
  }
  expect(frames).toEqual([]);
  await new Promise((resolve) => strange.close(resolve));
});
