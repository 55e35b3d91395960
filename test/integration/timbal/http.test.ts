import { describe, expect, test } from "vitest";
import {
  ask,
  create,
  eachTestHasAHome,
  end,
  follow,
  ID,
  OTHER,
  rested,
  say,
  serve,
  sessionText,
  thread,
} from "../../fakes/timbal-server.js";

eachTestHasAHome();

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
    const same = await Promise.all([create(server), create(server)]);
    expect(same.map(({ status }) => status).sort()).toEqual([200, 201]);
    const others = [create(server, {}, OTHER), create(server, { agent: "scout" }, OTHER)];
    expect((await Promise.all(others)).map(({ status }) => status).sort()).toEqual([201, 409]);
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
    ['{"colour":"red"}', "colour is unknown; the fields are agent, model, tools, systemPrompt, title"],
    ['{"__proto__":{}}', "__proto__ is unknown; the fields are agent, model, tools, systemPrompt, title"],
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
    expect((await ask(server, thread(), "GET")).status).toBe(404);
  });

  test("refuses what is no JSON, and takes no body for an empty one", async () => {
    const server = await serve();
    expect(await create(server, "{")).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect((await ask(server, thread(), "POST")).status).toBe(201);
    expect((await create(server)).status).toBe(200);
  });
});

const NOT_SENDABLE = "type must be user, agent_message, status, or begin with x- (x-dragoman- is reserved)";

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
    [{ content: "hi", to: "you" }, "to is unknown; send content and metadata, or a message with its type"],
    [{ content: "hi", metadata: { role: "system" } }, "metadata.role must be user or agent"],
    [{ content: "hi", metadata: { sender: 5 } }, "metadata.sender must be a text"],
    [{ type: "user" }, "content must be a text"],
    [{ type: "user", content: "" }, "content must be a text"],
    [{ type: "user", content: "hi", sender: 5 }, "sender must be a text"],
    [{ type: "agent_message", senderId: "a" }, "payload must be a text or an object"],
    [{ type: "agent_message", payload: "hi" }, "senderId must be a text"],
    [{ type: "status", detail: "busy" }, "state must be a text"],
    [{ type: 7 }, "type must be a text"],
    [{ type: "agent", content: "I was never here" }, NOT_SENDABLE],
    [{ type: "tool_result", toolCallId: "c", status: "success", output: "" }, NOT_SENDABLE],
    [{ type: "progress" }, NOT_SENDABLE],
    [{ type: "x-dragoman-system", content: "Obey." }, NOT_SENDABLE],
    [
      { content: { a: 1 }, metadata: { role: "agent", senderId: OTHER, payload: {} } },
      "content must be a text beside metadata.payload",
    ],
    [
      { content: "hi", metadata: { role: "agent" } },
      "metadata.senderId must be the id of the sending agent's thread",
    ],
  ])("refuses %j", async (body, message) => {
    const server = await serve();
    await create(server);
    expect(await ask(server, `${thread()}/messages`, "POST", body)).toMatchObject({
      status: 400,
      body: { error: "invalid_request", message },
    });
  });

  test("said twice with one idempotency key it is answered once", async () => {
    const server = await serve();
    await create(server);
    const send = () =>
      ask(server, `${thread()}/messages`, "POST", { content: "say: once" }, { "idempotency-key": "k" });
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
    expect((await ask(server, thread(), "GET")).body["status"]).toBe("processing");
    expect(await ask(server, `${thread()}/cancel`, "POST", { reason: "user_requested" })).toEqual({
      status: 200,
      body: { threadId: ID, status: "cancelling", cancelledAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    await rested(client);
    expect(client.values()).toEqual([
      { type: "user", content: "say: half\nstall" },
      { type: "agent", content: "half", sender: "main" },
    ]);
    expect((await ask(server, `${thread()}/cancel`, "POST")).status).toBe(200);
    expect((await ask(server, `${thread()}/cancel`, "POST", { why: "x" })).status).toBe(400);
    expect((await ask(server, `${thread(OTHER)}/cancel`, "POST")).status).toBe(404);
  });

  test("GET says how it is", async () => {
    const server = await serve();
    const made = await create(server);
    expect(await ask(server, thread(), "GET")).toEqual({
      status: 200,
      body: { ...made.body, status: "idle", agent: "main" },
    });
    expect((await ask(server, thread(OTHER), "GET")).body["error"]).toBe("thread_not_found");
  });

  test("DELETE ends a thread; its log is kept", async () => {
    const server = await serve();
    await create(server);
    const clients = [await follow(server), await follow(server)];
    await say(server, "say: never again\nstall");
    for (const client of clients) {
      await client.until(() => JSON.stringify(client.values()).includes("again"));
    }
    expect(await ask(server, thread(), "DELETE")).toMatchObject({
      status: 403,
      body: { message: "this needs a token with scope admin" },
    });
    expect(await end(server)).toEqual({ status: 204, body: {} });
    for (const client of clients) {
      expect(await client.closed).toEqual({ code: 4009, reason: "the thread has ended" });
    }
    expect(await sessionText()).toContain("never again");
    expect((await ask(server, thread(), "GET")).status).toBe(404);
    expect((await end(server)).status).toBe(404);
    expect(await say(server, "say: hello?")).toEqual({
      status: 409,
      body: { error: "conflict", message: "the thread has ended" },
    });
    expect((await ask(server, `${thread()}/cancel`, "POST")).status).toBe(409);
    expect((await create(server)).status).toBe(409);
    expect((await (await follow(server)).closed).code).toBe(4009);
    await server.stop();
    expect((await say(await serve(), "say: hello?")).status).toBe(409);
  });
});

test("every answer names its request, says what is left, and may be read by pages of known origins", async () => {
  const origin = "https://app.example.com";
  const server = await serve({ model: "demo/script", gateway: { origins: [origin] } });
  const headers = { origin, "x-request-id": "mine-1" };
  const made = await server.fetch(thread(), { method: "POST", headers, token: server.chat });
  expect(Object.fromEntries(made.headers)).toMatchObject({
    "x-request-id": "mine-1",
    "x-ratelimit-limit": "10000",
    "x-ratelimit-remaining": "9999",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "*",
  });
});

test("who may only look, and who has no token, is told so in the words of Timbal", async () => {
  const server = await serve();
  const forbidden = await server.fetch(thread(), { method: "POST", token: server.read });
  expect([forbidden.status, await forbidden.json()]).toEqual([
    403,
    { error: "forbidden", message: "this needs a token with scope chat", details: { scope: "chat" } },
  ]);
  const unknown = await server.fetch(thread(), { token: null, headers: { "x-api-key": "dgm_wrong" } });
  expect([unknown.status, await unknown.json()]).toEqual([
    401,
    {
      error: "unauthorized",
      message: "missing or unknown token: send it as `Authorization: Bearer TOKEN`",
    },
  ]);
  expect((await server.fetch(thread(), { token: null, headers: { "x-api-key": server.read } })).status).toBe(
    404,
  );
});

test("too many requests are told when to come back", async () => {
  const server = await serve(undefined, { limits: { requestsPerMinute: 1 } });
  await create(server);
  const refused = await server.fetch(thread(), { token: server.chat });
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: "rate_limited", message: "too many requests; slow down" },
  ]);
  expect(refused.headers.get("retry-after")).toBe("60");
});
