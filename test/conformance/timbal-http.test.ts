import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TimbalOptions, timbalProtocol } from "../../src/gateway/timbal/protocol.js";
import type { Limits } from "../../src/gateway/types.js";
import { type Config, Runtime, type RuntimeOptions } from "../../src/runtime/index.js";
import { type BareGateway, startBareGateway } from "../fakes/bare-gateway.js";
import { TimbalClient } from "../fakes/timbal-client.js";

const ID = "550e8400-e29b-41d4-a716-446655440000";
const OTHER = "550e8400-e29b-41d4-a716-446655440001";

let home: string;
let stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "dragoman-timbal-"));
});

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
  await rm(home, { recursive: true, force: true });
});

interface Server extends BareGateway {
  runtime: Runtime;
  stop(): Promise<void>;
}

/** The one line that knows which server it is. */
async function serve(
  config: Config = { model: "demo/script" },
  options: TimbalOptions & { models?: RuntimeOptions["models"]; limits?: Partial<Limits> } = {},
): Promise<Server> {
  const { models, limits, ...timbal } = options;
  const runtime = new Runtime({ home, config, ...(models === undefined ? {} : { models }) });
  const gateway = await startBareGateway(runtime, [(given) => timbalProtocol(given, timbal)], limits);
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await gateway.close();
    await runtime.close();
  };
  stops.push(stop);
  return { ...gateway, runtime, stop };
}

interface Reply {
  status: number;
  body: Record<string, unknown>;
}

async function ask(url: string, method: string, body?: unknown, headers = {}): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

const thread = ({ url }: Server, id = ID) => `${url}/v1/threads/${id}`;
const create = (server: Server, body: unknown = {}, id = ID) => ask(thread(server, id), "POST", body);
const say = (server: Server, content: string, id = ID) =>
  ask(`${thread(server, id)}/messages`, "POST", { content });
const follow = (server: Server, id = ID) => TimbalClient.open(`${thread(server, id)}/stream`);

/** Fulfilled when the run is over: its status is gone. */
async function rested(client: TimbalClient, stream?: string): Promise<void> {
  const isStatus = (value: unknown) =>
    typeof value === "object" && value !== null && "type" in value && value.type === "status";
  await client.until(() => client.values(stream).some(isStatus));
  await client.until(() => !client.values(stream).some(isStatus));
}

async function sessionText(): Promise<string> {
  const folder = join(home, "agents", "main", "sessions");
  const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".jsonl"));
  return readFile(join(folder, name), "utf8");
}

describe("POST /v1/threads/{id}", () => {
  test("makes a thread, and says where it can be followed", async () => {
    const server = await serve();
    const { status, body } = await create(server, { title: "Weather" });
    expect(status).toBe(201);
    expect(body).toEqual({
      threadId: ID,
      status: "created",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      streamUrl: `${server.url.replace("http", "ws")}/v1/threads/${ID}/stream`,
    });
  });

  test("the same again is 200, something else is 409, also for the next process", async () => {
    const first = await serve();
    const body = {
      agent: "main",
      model: "demo/echo",
      tools: ["read"],
      systemPrompt: "Be brief.",
      title: "T",
    };
    const made = await create(first, body);
    expect(await create(first, body)).toEqual({ status: 200, body: { ...made.body, status: "exists" } });
    const conflict = {
      status: 409,
      body: { error: "conflict", message: "the thread exists with a different configuration" },
    };
    expect(await create(first, { ...body, title: "U" })).toEqual(conflict);
    await first.stop();
    const later = await serve();
    const streamUrl = `${later.url.replace("http", "ws")}/v1/threads/${ID}/stream`;
    expect(await create(later, body)).toEqual({
      status: 200,
      body: { ...made.body, status: "exists", streamUrl },
    });
    for (const other of [{}, { ...body, tools: [] }, { ...body, systemPrompt: "Be long." }]) {
      expect(await create(later, other)).toEqual(conflict);
    }
  });

  test("of two at the same time one makes it", async () => {
    const server = await serve({ agents: { scout: {} } });
    const replies = await Promise.all([create(server), create(server), create(server, { agent: "scout" })]);
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 409]);
  });

  test("the id is a UUID, in any case", async () => {
    const server = await serve();
    expect(await create(server, {}, "not-a-uuid")).toEqual({
      status: 400,
      body: {
        error: "invalid_request",
        message: "threadId must be a valid UUID",
        details: { field: "threadId", reason: "must be a valid UUID" },
      },
    });
    expect((await create(server, {}, ID.toUpperCase())).body["threadId"]).toBe(ID);
    expect((await create(server)).status).toBe(200);
  });

  test.each([
    ["[]", "body must be an object"],
    ['{"colour":"red"}', "colour is not known here; there are agent, model, tools, systemPrompt, title"],
    ['{"__proto__":{}}', "__proto__ is not known here; there are agent, model, tools, systemPrompt, title"],
    ['{"agent":"nobody"}', "agent must be one of main"],
    ['{"agent":7}', "agent must be a text"],
    ['{"model":"gpt"}', "model must be written as provider/model"],
    ['{"tools":"read"}', "tools must be a list of names"],
    ['{"tools":["fly"]}', "tools may name read, write, edit, exec; not fly"],
    ['{"title":null}', "title must be a text"],
  ])("refuses the body %s", async (body, message) => {
    const server = await serve();
    const refused = await create(server, body);
    expect(refused).toMatchObject({ status: 400, body: { error: "invalid_request", message } });
    expect((await ask(thread(server), "GET")).status).toBe(404);
  });

  test("refuses what is no JSON, and takes no body for an empty one", async () => {
    const server = await serve();
    expect(await create(server, "{")).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect((await ask(thread(server), "POST")).status).toBe(201);
    expect((await create(server)).status).toBe(200);
  });
});

describe("POST /v1/threads/{id}/messages", () => {
  test("is accepted when it is on disk", async () => {
    const server = await serve();
    await create(server);
    const { status, body } = await say(server, "say: hello");
    expect(await sessionText()).toContain("say: hello");
    expect(status).toBe(202);
    expect(body).toEqual({
      messageId: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      threadId: ID,
      status: "processing",
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test("needs a thread", async () => {
    expect(await say(await serve(), "hi")).toEqual({
      status: 404,
      body: { error: "thread_not_found", message: `there is no thread ${ID}` },
    });
  });

  test.each([
    [{}, "content must be a text"],
    [{ content: "" }, "content must be a text"],
    [{ content: ["hi"] }, "content must be a text"],
    [{ content: "hi", metadata: "x" }, "metadata must be an object"],
    [{ content: "hi", to: "you" }, "to is not known here; there are content, metadata"],
    [{ content: "hi", metadata: { role: "system" } }, "metadata.role must be user or agent"],
    [
      { content: "hi", metadata: { role: "agent" } },
      "metadata.senderId must say which thread the agent is in",
    ],
  ])("refuses %j", async (body, message) => {
    const server = await serve();
    await create(server);
    expect(await ask(`${thread(server)}/messages`, "POST", body)).toMatchObject({
      status: 400,
      body: { error: "invalid_request", message },
    });
  });

  test("said twice with one idempotency key it is answered once", async () => {
    const server = await serve();
    await create(server);
    const send = () =>
      ask(`${thread(server)}/messages`, "POST", { content: "say: once" }, { "idempotency-key": "k" });
    const [one, two] = [await send(), await send()];
    expect(two.body["messageId"]).toBe(one.body["messageId"]);
    const client = await follow(server);
    await client.sync();
    await client.until(() => client.values().length >= 2);
    expect(client.values().filter((value) => JSON.stringify(value).includes('"user"'))).toHaveLength(1);
  });
});

describe("POST /v1/threads/{id}/cancel, GET and DELETE", () => {
  test("cancel stops what is under way, and what was said is kept", async () => {
    const server = await serve();
    await create(server);
    const client = await follow(server);
    await say(server, "say: half\nstall");
    await client.until(() => JSON.stringify(client.values()).includes("half"));
    expect((await ask(thread(server), "GET")).body["status"]).toBe("processing");
    expect(await ask(`${thread(server)}/cancel`, "POST", { reason: "user_requested" })).toEqual({
      status: 200,
      body: { threadId: ID, status: "cancelling", cancelledAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    await rested(client);
    expect(client.values()).toEqual([
      { type: "user", content: "say: half\nstall" },
      { type: "agent", content: "half", sender: "main" },
    ]);
    expect((await ask(`${thread(server)}/cancel`, "POST")).status).toBe(200);
    expect((await ask(`${thread(server)}/cancel`, "POST", { why: "x" })).status).toBe(400);
    expect((await ask(`${thread(server, OTHER)}/cancel`, "POST")).status).toBe(404);
  });

  test("GET says how it is", async () => {
    const server = await serve();
    const made = await create(server);
    expect(await ask(thread(server), "GET")).toEqual({
      status: 200,
      body: { ...made.body, status: "idle", agent: "main" },
    });
    expect((await ask(thread(server, OTHER), "GET")).body["error"]).toBe("thread_not_found");
  });

  test("DELETE ends a thread; its log is kept", async () => {
    const server = await serve();
    await create(server);
    const clients = [await follow(server), await follow(server)];
    await say(server, "say: never again\nstall");
    for (const client of clients) {
      await client.until(() => JSON.stringify(client.values()).includes("again"));
    }
    expect(await ask(thread(server), "DELETE")).toEqual({ status: 204, body: {} });
    for (const client of clients) {
      expect(await client.closed).toEqual({ code: 4009, reason: "the thread is over" });
    }
    expect(await sessionText()).toContain("never again");
    expect((await ask(thread(server), "GET")).status).toBe(404);
    expect((await ask(thread(server), "DELETE")).status).toBe(404);
    expect(await say(server, "say: hello?")).toEqual({
      status: 409,
      body: { error: "conflict", message: "the thread is over" },
    });
    expect((await ask(`${thread(server)}/cancel`, "POST")).status).toBe(409);
    expect((await create(server)).status).toBe(409);
    expect((await (await follow(server)).closed).code).toBe(4009);
    await server.stop();
    expect((await say(await serve(), "say: hello?")).status).toBe(409);
  });
});

describe("the stream of a thread", () => {
  test("may be opened before the thread is there, and brings everything from then on", async () => {
    const server = await serve();
    const client = await follow(server);
    client.send({ c: "sync" });
    await create(server);
    const { body } = await say(server, 'think: hm\nsay: hello you\ncall: read {"path":"x"}\n---\nsay: done');
    await rested(client);
    const kinds = client.frames.flatMap((frame) => {
      const { i, m, a, v, c } = frame;
      if (c === "cursor") return [];
      if (m !== undefined) return [`start ${JSON.stringify(m)}`];
      if (a !== undefined) return [`append ${a}`];
      if (v === null) return ["delete"];
      return [`set ${JSON.stringify(v)}${i === body["messageId"] ? " as told" : ""}`];
    });
    const call = '"toolCallId":"call_1_0","name":"read"';
    expect(kinds).toEqual([
      `set {"type":"user","content":${JSON.stringify('think: hm\nsay: hello you\ncall: read {"path":"x"}\n---\nsay: done')}} as told`,
      'set {"type":"status","state":"thinking","sender":"main"}',
      'start {"type":"thinking","sender":"main"}',
      "append hm",
      'set {"type":"thinking","content":"hm","sender":"main"}',
      'start {"type":"agent","sender":"main"}',
      "append hello",
      "append  you",
      'set {"type":"agent","content":"hello you","sender":"main"}',
      `start {"type":"tool_call",${call},"sender":"main"}`,
      'append {"path":"x"}',
      `set {"type":"tool_call",${call},"arguments":{"path":"x"},"sender":"main"}`,
      'set {"type":"status","state":"working","detail":"read","sender":"main"}',
      `set {"type":"tool_result",${call},"status":"error","error":"there is no file x"}`,
      'set {"type":"status","state":"thinking","sender":"main"}',
      'start {"type":"agent","sender":"main"}',
      "append done",
      'set {"type":"agent","content":"done","sender":"main"}',
      "delete",
    ]);
    for (const { i, t, v } of client.frames.filter(({ v }) => v !== undefined && v !== null)) {
      expect(i).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      expect([t, v]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), v]);
    }
    expect(client.receiver.ignored).toEqual(
      new Map([["its control type is unknown", client.cursors.length]]),
    );
  });

  test("waits 30 seconds for the thread", async () => {
    const scheduled: { ms: number; callback: () => void; cancelled: boolean }[] = [];
    const server = await serve(undefined, {
      schedule: (ms, callback) => {
        const one = { ms, callback, cancelled: false };
        scheduled.push(one);
        return () => {
          one.cancelled = true;
        };
      },
    });
    const [early, lost] = [await follow(server), await follow(server, OTHER)];
    await create(server);
    expect(scheduled.map(({ ms, cancelled }) => [ms, cancelled])).toEqual([
      [30_000, true],
      [30_000, false],
    ]);
    scheduled[1]?.callback();
    expect(await lost.closed).toEqual({ code: 4004, reason: "there is no such thread" });
    await say(server, "say: hi");
    await rested(early);
  });

  test("a UUID is needed here too", async () => {
    expect((await (await follow(await serve(), "x")).closed).code).toBe(1008);
  });

  test.each([
    ["not json", 1003],
    ["[1]", 1003],
    ['{"c":"sync","since":"yesterday"}', 1003],
    ['{"c":"sync","since":7}', 1003],
    ['{"c":"sync","after":7}', 1003],
    ['{"c":"sync","after":"x"}', 1003],
    ['{"c":"sync","s":7}', 1003],
  ])("the frame %s closes it", async (frame, code) => {
    const server = await serve();
    await create(server);
    const client = await follow(server);
    client.send(frame);
    expect((await client.closed).code).toBe(code);
  });

  test("frames that nobody knows are ignored, and several may come at once", async () => {
    const server = await serve();
    await create(server);
    const client = await follow(server);
    client.send('{"c":"dance"}\n{"x":1}\n{"i":"a","v":{}}\n{"c":"unsub","s":"x"}\n\n{"request":"sync"}');
    await client.until(({ cursors }) => cursors.length === 1);
    client.send({ c: "sync", s: ID });
    await client.until(({ frames }) => frames.length === 2);
    expect(client.frames[1]).toEqual({
      s: ID,
      c: "error",
      code: "invalid_stream",
      message: "this connection has one stream, without a name; many share /v1/stream",
    });
  });
});
