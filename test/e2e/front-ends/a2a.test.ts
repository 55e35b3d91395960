import { TaskState } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { a2aClient, asTask, byId, FollowedTask, say, textOf } from "./a2a-client.js";
import { AiChat, loadSdk } from "./ai-chat.js";
import { frontGateway, SCRIPT, scripted, storedChat, storedSession } from "./front-gateway.js";

describe.each([
  ["1.0", false],
  ["0.3", true],
] as const)("A2A %s, with the official client", (_, legacy) => {
  test("a message gets a task with the stored text", async () => {
    const gateway = await frontGateway();
    const methods: string[] = [];
    const client = await a2aClient(gateway.url, gateway.chat, { legacy, methods });
    const task = asTask(await client.sendMessage(say("Hello there")));
    expect(methods).toEqual([legacy ? "message/send" : "SendMessage"]);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts.map(textOf)).toEqual(["Hello there"]);
    expect(task.history.map(({ parts }) => textOf({ parts }))).toEqual(["Hello there"]);
    const again = asTask(await client.sendMessage(say("And more", { contextId: task.contextId })));
    expect(again.contextId).toBe(task.contextId);
    expect(again.id).not.toBe(task.id);
    expect((await storedSession(gateway, task.contextId)).texts).toEqual([
      ...["user: Hello there", "assistant: Hello there"],
      ...["user: And more", "assistant: And more"],
    ]);
    expect(await client.getTask(byId(task.id))).toEqual(task);
  });

  test("a stream with tools ends with the stored texts", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const client = await a2aClient(gateway.url, gateway.chat, { legacy });
    const task = await new FollowedTask().follow(client.sendMessageStream(say(SCRIPT, { contextId: "s1" })));
    expect(task.contextId).toBe("s1");
    expect(task.texts).toEqual(["Let me look.", "It is there."]);
    expect(task.state).toBe("COMPLETED");
    expect((await storedChat(gateway, "s1")).texts.slice(1)).toEqual([
      "assistant: Let me look.",
      "assistant: It is there.",
    ]);
  });

  test("a failure is a failed task with its reason", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const client = await a2aClient(gateway.url, gateway.chat, { legacy });
    const task = asTask(await client.sendMessage(say("fail: 401")));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(textOf({ parts: task.status?.message?.parts ?? [] })).toContain("HTTP 401");
  });

  test("a permission is asked for as input, and the answer continues the task", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const client = await a2aClient(gateway.url, gateway.admin, { legacy });
    const script = 'say: One moment.\ncall: exec {"command":"echo ran"}\n---\nsay: Done.';
    const task = await new FollowedTask().follow(client.sendMessageStream(say(script, { contextId: "s1" })));
    expect(task.state).toBe("INPUT_REQUIRED");
    expect(task.question).toEqual([
      "May the agent run exec: echo ran? Answer yes or no.",
      {
        requestId: expect.any(String),
        toolCall: { id: "call_1_0", name: "exec", arguments: { command: "echo ran" } },
        expiresAt: expect.any(String),
      },
    ]);
    const waiting = await client.getTask(byId(task.id));
    expect(waiting.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    await task.follow(client.sendMessageStream(say("yes", { taskId: task.id })));
    expect(task.state).toBe("COMPLETED");
    expect(task.texts).toEqual(["One moment.", "Done."]);
    const { conversation } = await storedChat(gateway, "s1");
    const results = (await conversation.messages()).filter(({ role }) => role === "toolResult");
    expect(results).toMatchObject([{ isError: false }]);
  });

  test("a task that waits for a permission is cancelled, and its tool does not run", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const client = await a2aClient(gateway.url, gateway.admin, { legacy });
    const script = 'call: exec {"command":"echo ran"}\n---\nsay: Done.';
    const asked = asTask(await client.sendMessage(say(script, { contextId: "s1" })));
    const cancelled = await client.cancelTask(byId(asked.id));
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const { conversation } = await storedChat(gateway, "s1");
    const results = (await conversation.messages()).filter(({ role }) => role === "toolResult");
    expect(results).toMatchObject([{ isError: true }]);
    await expect(client.sendMessage(say("yes", { taskId: asked.id }))).rejects.toThrow(
      "does not wait for input",
    );
  });

  test("every character of a text arrives, also those that end lines elsewhere", async () => {
    const model = new SteppedModel();
    const gateway = await frontGateway({ config: model.config, models: model });
    const client = await a2aClient(gateway.url, gateway.chat, { legacy });
    const text = "a\u2028b\u2029c\r\nd\u0085e\u0000";
    const following = new FollowedTask().follow(client.sendMessageStream(say("Go", { contextId: "s1" })));
    await model.isAsked(1);
    model.send({ text, stop: "stop" });
    expect((await following).texts).toEqual([text]);
    expect((await storedChat(gateway, "s1")).texts).toEqual(["user: Go", `assistant: ${text}`]);
  });

  test("a denial continues the task without the tool", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const client = await a2aClient(gateway.url, gateway.admin, { legacy });
    const script = 'call: exec {"command":"echo ran"}\n---\nsay: As you wish.';
    const asked = asTask(await client.sendMessage(say(script)));
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const done = asTask(await client.sendMessage(say("", { taskId: asked.id, data: { approved: false } })));
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(done.artifacts.map(textOf)).toEqual(["As you wish."]);
  });

  test("a task is cancelled while its answer streams, and has the text so far", async () => {
    const model = new SteppedModel();
    const gateway = await frontGateway({ config: model.config, models: model });
    const client = await a2aClient(gateway.url, gateway.chat, { legacy });
    const task = new FollowedTask();
    const following = task.follow(client.sendMessageStream(say("Go", { contextId: "s1" })));
    await model.isAsked(1);
    model.send({ text: "half an " });
    const other = new FollowedTask();
    await task.has("half an ");
    const cancelled = await client.cancelTask(byId(task.id));
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(cancelled.artifacts.map(textOf)).toEqual(["half an "]);
    await following;
    expect(task.state).toBe("CANCELED");
    expect((await storedChat(gateway, "s1")).texts).toEqual(["user: Go", "assistant: half an "]);
    await expect(client.cancelTask(byId(task.id))).rejects.toThrow("the task has ended");
    await expect(other.follow(client.resubscribeTask(byId(task.id)))).rejects.toThrow("the task has ended");
  });

  test("a client that returns gets the whole task, and so does one of another protocol in the same session", async () => {
    const model = new SteppedModel();
    const gateway = await frontGateway({ config: model.config, models: model });
    const client = await a2aClient(gateway.url, gateway.chat, { legacy });
    const first = new FollowedTask();
    const left = first.follow(client.sendMessageStream(say("Go", { contextId: "s1" })), () =>
      first.texts.includes("un "),
    );
    await model.isAsked(1);
    model.send({ text: "un " });
    await left;
    const second = new FollowedTask();
    const following = second.follow(client.resubscribeTask(byId(first.id)));
    const api = `${gateway.url}/ai-sdk/main/chat`;
    const page = new AiChat({ sdk: await loadSdk(6), api, token: gateway.chat, id: "s1" });
    void page.chat.resumeStream();
    await page.until(() => page.text === "un ");
    await second.has("un ");
    model.send({ text: "deux", stop: "stop" });
    await following;
    await page.until(() => page.chat.status === "ready");
    expect({ texts: second.texts, state: second.state }).toEqual({ texts: ["un deux"], state: "COMPLETED" });
    expect(page.text).toBe("un deux");
    expect((await storedChat(gateway, "s1")).texts).toEqual(["user: Go", "assistant: un deux"]);
  });
});

test("a message that is sent again is the same task", async () => {
  const gateway = await frontGateway();
  const client = await a2aClient(gateway.url, gateway.chat);
  const message = say("Once", { contextId: "s1", messageId: "m1" });
  const task = asTask(await client.sendMessage(message));
  expect(asTask(await client.sendMessage(message)).id).toBe(task.id);
  const streamed = await new FollowedTask().follow(client.sendMessageStream(message));
  expect({ id: streamed.id, texts: streamed.texts }).toEqual({ id: task.id, texts: ["Once"] });
  expect((await storedChat(gateway, "s1")).texts).toEqual(["user: Once", "assistant: Once"]);
});

test("a client that does not wait gets the task at once, and reads its end later", async () => {
  const model = new SteppedModel();
  const gateway = await frontGateway({ config: model.config, models: model });
  const client = await a2aClient(gateway.url, gateway.chat);
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: true,
  };
  const task = asTask(await client.sendMessage({ ...say("Go"), configuration }));
  expect([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]).toContain(task.status?.state);
  await model.isAsked(1);
  const followed = new FollowedTask();
  const following = followed.follow(client.resubscribeTask(byId(task.id)));
  model.send({ text: "do" });
  await followed.has("do");
  model.send({ text: "ne", stop: "stop" });
  expect((await following).texts).toEqual(["done"]);
  expect((await client.getTask(byId(task.id))).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
});

test("the tasks of a context are listed, the latest first, in pages", async () => {
  const gateway = await frontGateway();
  const client = await a2aClient(gateway.url, gateway.chat);
  const ids: string[] = [];
  for (const text of ["one", "two", "three"]) {
    ids.unshift(asTask(await client.sendMessage(say(text, { contextId: "s1" }))).id);
  }
  const wanted = {
    tenant: "",
    contextId: "s1",
    status: TaskState.TASK_STATE_UNSPECIFIED,
    statusTimestampAfter: undefined,
    pageSize: 2,
  };
  const first = await client.listTasks({ ...wanted, pageToken: "" });
  expect(first.tasks.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect({ total: first.totalSize, artifacts: first.tasks[0]?.artifacts }).toEqual({
    total: 3,
    artifacts: [],
  });
  const rest = await client.listTasks({ ...wanted, pageToken: first.nextPageToken, includeArtifacts: true });
  expect(rest.tasks.map(({ artifacts }) => artifacts.map(textOf))).toEqual([["one"]]);
  expect(rest.nextPageToken).toBe("");
  await expect(client.listTasks({ ...wanted, pageToken: "other" })).rejects.toThrow(
    "pageToken is not from this list",
  );
});

test("an answer with the id of a request answers that request, and no other", async () => {
  const gateway = await frontGateway({ config: scripted() });
  const client = await a2aClient(gateway.url, gateway.admin);
  const script = 'call: exec {"command":"echo one"}\n---\ncall: exec {"command":"echo two"}\n---\nsay: Done.';
  const first = asTask(await client.sendMessage(say(script, { contextId: "s1" })));
  const requestId = (task: typeof first) => {
    const content = task.status?.message?.parts.map((part) => part.content?.value) ?? [];
    return (content[1] as { requestId: string }).requestId;
  };
  const approve = (id: string) =>
    client.sendMessage(say("", { taskId: first.id, data: { requestId: id, approved: true } }));
  const second = asTask(await approve(requestId(first)));
  expect(second.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(requestId(second)).not.toBe(requestId(first));
  // An answer that was sent twice does not approve the next call.
  await expect(approve(requestId(first))).rejects.toThrow("the permission request is not open any more");
  const third = asTask(await approve(requestId(second)));
  expect(third.artifacts.map(textOf)).toEqual(["Done."]);
});

test("a file keeps its name", async () => {
  const gateway = await frontGateway();
  const client = await a2aClient(gateway.url, gateway.chat);
  const message = say("See", { contextId: "s1" });
  const file = {
    content: { $case: "raw" as const, value: Buffer.from("hi") },
    metadata: undefined,
    filename: "a.txt",
    mediaType: "text/plain",
  };
  const withFile = { ...message.message, parts: [...message.message.parts, file] };
  const task = asTask(await client.sendMessage({ ...message, message: withFile }));
  expect(task.history[0]?.parts[1]).toMatchObject({ filename: "a.txt", mediaType: "text/plain" });
  const { conversation } = await storedChat(gateway, "s1");
  expect((await conversation.messages()).find(({ role }) => role === "user")).toMatchObject({
    content: [{ text: "See" }, { type: "file", name: "a.txt", data: "aGk=" }],
  });
});

test("each agent has a card, which needs a token", async () => {
  const gateway = await frontGateway({
    config: { agents: { main: {}, scout: { description: "Finds things." } } },
  });
  const card = async (path: string, version?: string) => {
    const headers = version === undefined ? {} : { "a2a-version": version };
    return (await gateway.fetch(path, { token: gateway.read, headers })).json();
  };
  const url = `${gateway.url}/a2a/main`;
  const interfaces = [
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ];
  expect(await card("/.well-known/agent-card.json", "1.0")).toMatchObject({
    name: "main",
    supportedInterfaces: interfaces,
    capabilities: { streaming: true, pushNotifications: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  });
  expect(await card("/.well-known/agent-card.json")).toMatchObject({
    url,
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
    supportedInterfaces: interfaces,
  });
  expect(await card("/a2a/scout/.well-known/agent-card.json", "1.0")).toMatchObject({
    name: "scout",
    description: "Finds things.",
    supportedInterfaces: [{ url: `${gateway.url}/a2a/scout` }, {}],
  });
  for (const path of ["/.well-known/agent-card.json", "/a2a/main/.well-known/agent-card.json"]) {
    expect((await gateway.fetch(path, { token: null })).status).toBe(401);
  }
});

describe("what is refused", () => {
  async function post(
    body: unknown,
    { token = "chat", headers = {} as Record<string, string>, agent = "main" } = {},
  ) {
    const gateway = await frontGateway({ config: scripted() });
    const response = await gateway.fetch(`/a2a/${agent}`, {
      method: "POST",
      body: JSON.stringify(body),
      token: token === "read" ? gateway.read : gateway.chat,
      headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
    });
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    return { status: response.status, code: error.code, message: error.message };
  }
  const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
  const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "Hi" }] };

  test.each([
    [[], 200, -32600, "the body must be one JSON-RPC 2.0 request"],
    [rpc("message/delete"), 200, -32601, 'there is no method "message/delete"'],
    [rpc("GetTask", { id: "t1" }), 200, -32001, 'there is no task "t1"'],
    [
      rpc("GetTask", { id: "01ARZ3NDEKTSV4RRFFQ69G5FAV.01ARZ3NDEKTSV4RRFFQ69G5FAV" }),
      200,
      -32001,
      'there is no task "01ARZ3NDEKTSV4RRFFQ69G5FAV.01ARZ3NDEKTSV4RRFFQ69G5FAV"',
    ],
    [
      rpc("SendMessage", { message: { ...message, parts: [] } }),
      200,
      -32602,
      "message.parts must not be empty",
    ],
    [
      rpc("SendMessage", { message: { ...message, parts: [{}] } }),
      200,
      -32005,
      "a part must have text, raw, url or data",
    ],
    [
      rpc("SendMessage", { message: { ...message, role: "ROLE_AGENT" } }),
      200,
      -32602,
      "message.role must be ROLE_USER",
    ],
    [
      rpc("SendMessage", {
        message,
        configuration: { taskPushNotificationConfig: { url: "https://x.test" } },
      }),
      200,
      -32003,
      "push notifications are not supported; subscribe to the task",
    ],
    [rpc("ListTasks"), 200, -32602, "contextId is missing: tasks are listed for one context"],
  ])("%j", async (body, status, code, text) => {
    expect(await post(body)).toEqual({ status, code, message: text });
  });

  test("another version, another agent, and a token that may only read", async () => {
    const send = rpc("SendMessage", { message });
    expect(await post(send, { headers: { "a2a-version": "2.0" } })).toMatchObject({
      status: 200,
      code: -32009,
    });
    expect(await post(send, { agent: "other" })).toMatchObject({ status: 404, code: -32600 });
    expect(await post(send, { token: "read" })).toMatchObject({ status: 403, code: -32600 });
  });

  test("only an admin's token may grant a permission", async () => {
    const gateway = await frontGateway({ config: scripted() });
    const client = await a2aClient(gateway.url, gateway.chat);
    const asked = asTask(await client.sendMessage(say('call: exec {"command":"true"}\n---\nsay: ok')));
    await expect(client.sendMessage(say("yes", { taskId: asked.id }))).rejects.toThrow("scope admin");
    const admin = await a2aClient(gateway.url, gateway.admin);
    await expect(admin.sendMessage(say("perhaps", { taskId: asked.id }))).rejects.toThrow("answer yes or no");
    const done = asTask(await admin.sendMessage(say("yes", { taskId: asked.id })));
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    await expect(admin.sendMessage(say("yes", { taskId: asked.id }))).rejects.toThrow(
      "does not wait for input",
    );
  });

  test("a task of another agent is not found", async () => {
    const gateway = await frontGateway({ config: { agents: { main: {}, scout: {} } } });
    const main = await a2aClient(gateway.url, gateway.chat);
    const scout = await a2aClient(gateway.url, gateway.chat, { agent: "scout" });
    const { id } = asTask(await main.sendMessage(say("Hi")));
    await expect(scout.getTask(byId(id))).rejects.toThrow("there is no task");
  });
});
