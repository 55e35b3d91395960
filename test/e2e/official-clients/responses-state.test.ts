import { writeFileSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();

function client(token = gateway().chat): OpenAI {
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: token, maxRetries: 0 });
}

function ask(input: string, more: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> = {}) {
  return client().responses.create({ model: "demo/echo", input, ...more });
}

/** A response without what the client adds to it. */
function plain(response: OpenAI.Responses.Response): object {
  return JSON.parse(JSON.stringify(response), (key, value) =>
    key === "output_text" || key.startsWith("parsed") || key === "output_parsed" ? undefined : value,
  );
}

async function texts(response: string, query: OpenAI.Responses.InputItems.InputItemListParams = {}) {
  const page = await client().responses.inputItems.list(response, query);
  return { texts: page.data.map(textOf), more: page.has_more };
}

function textOf(item: object): string {
  const { role, content } = item as { role?: string; content?: { text: string }[] };
  return `${role}: ${content?.map(({ text }) => text).join("")}`;
}

describe("a stored response", () => {
  test.each([false, true])(
    "is retrieved as it was given, after a restart too, streamed: %s",
    async (stream) => {
      const { secret } = await gateway().tokens.create("client", "chat");
      const body = {
        model: "demo/echo",
        input: "Good morning",
        instructions: "Be brief.",
        metadata: { topic: "greetings" },
        temperature: 0.5,
      };
      const given = stream
        ? await client(secret).responses.stream(body).finalResponse()
        : await client(secret).responses.create(body);
      expect(given).toMatchObject({
        store: true,
        previous_response_id: null,
        conversation: null,
        instructions: "Be brief.",
        metadata: { topic: "greetings" },
        temperature: 0.5,
        output: [{ type: "message", content: [{ type: "output_text", text: "Good morning" }] }],
      });
      await gateway().restart();
      const retrieved = await client(secret).responses.retrieve(given.id);
      expect(plain(retrieved)).toEqual(plain(given));
      expect(retrieved.output_text).toBe("Good morning");
    },
  );

  test("states what it is from its first event on", async () => {
    const before = await ask("one");
    const events: object[] = [];
    const stream = client().responses.stream({
      model: "demo/echo",
      input: "two",
      previous_response_id: before.id,
    });
    for await (const event of stream) if ("response" in event) events.push(event.response);
    const { id } = await stream.finalResponse();
    expect(events).toHaveLength(3);
    for (const response of events) {
      expect(response).toMatchObject({
        id,
        store: true,
        previous_response_id: before.id,
        conversation: null,
      });
    }
  });

  test("is not found once it is deleted", async () => {
    const { id } = await ask("Forget me");
    const deleted = await gateway().fetch(`/v1/responses/${id}`, { method: "DELETE", token: gateway().chat });
    expect(await deleted.json()).toEqual({ id, object: "response", deleted: true });
    const missing = { status: 404, message: `404 Response with id '${id}' not found.` };
    await expect(client().responses.retrieve(id)).rejects.toMatchObject(missing);
    await expect(client().responses.delete(id)).rejects.toMatchObject(missing);
    await expect(client().responses.inputItems.list(id)).rejects.toMatchObject(missing);
    await expect(ask("more", { previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      code: "previous_response_not_found",
    });
  });

  test("is not cancelled, and not streamed again", async () => {
    const { id } = await ask("Hi");
    await expect(client().responses.cancel(id)).rejects.toMatchObject({
      status: 400,
      message: "400 Cannot cancel a synchronous response.",
    });
    await expect(client().responses.retrieve(id, { stream: true })).rejects.toMatchObject({
      status: 400,
      message: "400 This response cannot be streamed because it was not created with background=true.",
    });
  });

  test("belongs to its token, and to the operator", async () => {
    const { id } = await ask("Mine");
    const conversation = await client().conversations.create();
    const { secret: other } = await gateway().tokens.create("other", "chat");
    const { secret: limited } = await gateway().tokens.create("limited", "admin", { agents: ["worker"] });
    for (const stranger of [other, limited]) {
      await expect(client(stranger).responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
      await expect(client(stranger).responses.inputItems.list(id)).rejects.toMatchObject({ status: 404 });
      await expect(client(stranger).responses.delete(id)).rejects.toMatchObject({ status: 404 });
      await expect(client(stranger).conversations.retrieve(conversation.id)).rejects.toMatchObject({
        status: 404,
      });
    }
    const asked = { model: "demo/echo", input: "Yours?" };
    await expect(
      client(other).responses.create({ ...asked, previous_response_id: id }),
    ).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
    await expect(
      client(other).responses.create({ ...asked, conversation: conversation.id }),
    ).rejects.toMatchObject({ status: 404 });
    expect((await client(gateway().admin).responses.retrieve(id)).output_text).toBe("Mine");
    await expect(client(gateway().read).responses.delete(id)).rejects.toMatchObject({ status: 403 });
  });

  test("is not stored if the client or the operator does not want it", async () => {
    const unstored = await ask("Secret", { store: false });
    expect(unstored).toMatchObject({ store: false });
    await expect(client().responses.retrieve(unstored.id)).rejects.toMatchObject({ status: 404 });
    await gateway().restart({ gateway: { storeResponses: false } });
    const byDefault = await ask("Secret too");
    expect(byDefault).toMatchObject({ store: false });
    await expect(client().responses.retrieve(byDefault.id)).rejects.toMatchObject({ status: 404 });
    expect(await gateway().sessions()).toEqual([]);
    const wanted = await ask("Keep this", { store: true });
    expect((await client().responses.retrieve(wanted.id)).output_text).toBe("Keep this");
  });

  test("that cannot be stored is an error, not an answer", async () => {
    writeFileSync(join(gateway().home, "agents/responses-api"), "in the way");
    await expect(ask("Hi")).rejects.toMatchObject({ status: 500 });
    const reply = await gateway().fetch("/v1/responses", {
      method: "POST",
      token: gateway().chat,
      body: JSON.stringify({ model: "demo/echo", input: "Hi", stream: true }),
    });
    const events = [...(await reply.text()).matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    expect(events.at(-1)).toBe("response.failed");
    expect(events).not.toContain("response.completed");
  });

  test("is not made of a request that failed", async () => {
    await expect(
      client().responses.create({ model: "demo/script", input: "fail: 503" }),
    ).rejects.toMatchObject({ status: 503 });
    expect(await gateway().sessions()).toEqual([]);
  });
});

describe("previous_response_id", () => {
  test("continues a response; two that continue the same one are branches", async () => {
    const first = await ask("one");
    const left = await ask("left", { previous_response_id: first.id });
    const right = await ask("right", { previous_response_id: first.id });
    const end = await ask("end", { previous_response_id: left.id });
    expect(end.previous_response_id).toBe(left.id);
    expect((await texts(right.id, { order: "asc" })).texts).toEqual([
      "user: one",
      "assistant: one",
      "user: right",
    ]);
    expect((await texts(end.id, { order: "asc" })).texts).toEqual([
      "user: one",
      "assistant: one",
      "user: left",
      "assistant: left",
      "user: end",
    ]);
    expect(await gateway().sessions()).toHaveLength(1);
    // The words of the history are the input of the model.
    expect(end.usage?.input_tokens).toBe(5);
  });

  test("works at the same time as others", async () => {
    const first = await ask("base");
    const words = ["a", "b", "c", "d", "e", "f"];
    const all = await Promise.all(words.map((word) => ask(word, { previous_response_id: first.id })));
    for (const [index, { id }] of all.entries()) {
      expect((await texts(id, { order: "asc" })).texts).toEqual([
        "user: base",
        "assistant: base",
        `user: ${words[index]}`,
      ]);
    }
  });

  test("does not carry the instructions over", async () => {
    const first = await ask("one", { instructions: "Speak as a pirate." });
    const second = await ask("two", { previous_response_id: first.id });
    expect(second.instructions).toBeNull();
    expect(second.usage?.input_tokens).toBe(3);
  });

  test("can be used without storing the next", async () => {
    const first = await ask("one");
    const second = await ask("two", { previous_response_id: first.id, store: false });
    expect(second).toMatchObject({ store: false, previous_response_id: first.id });
    expect(second.usage?.input_tokens).toBe(3);
    await expect(client().responses.retrieve(second.id)).rejects.toMatchObject({ status: 404 });
  });

  test.each(["resp_unknown", `resp_${"0".repeat(52)}`])("%s is refused as by OpenAI", async (id) => {
    await expect(ask("Hi", { previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      code: "previous_response_not_found",
      param: "previous_response_id",
      message: `400 Previous response with id '${id}' not found.`,
    });
  });
});

describe("input items", () => {
  test("are listed in pages, the newest first", async () => {
    const { id } = await client().responses.create({
      model: "demo/echo",
      input: ["a", "b", "c"].map((content) => ({ role: "user" as const, content })),
    });
    expect(await texts(id)).toEqual({ texts: ["user: c", "user: b", "user: a"], more: false });
    const first = await client().responses.inputItems.list(id, { order: "asc", limit: 2 });
    expect(first.data).toEqual([
      {
        id: expect.stringMatching(/^msg_[0-9A-Z]{52}$/),
        type: "message",
        role: "user",
        status: "completed",
        content: [{ type: "input_text", text: "a" }],
      },
      expect.objectContaining({ content: [{ type: "input_text", text: "b" }] }),
    ]);
    expect(first.has_more).toBe(true);
    const all: string[] = [];
    for await (const item of client().responses.inputItems.list(id, { order: "asc", limit: 1 })) {
      all.push(textOf(item));
    }
    expect(all).toEqual(["user: a", "user: b", "user: c"]);
  });

  test.each([
    ["limit=0", '"limit" is a number from 1 to 100'],
    ["limit=x", '"limit" is a number from 1 to 100'],
    ["order=random", '"order" is asc or desc'],
    ["after=msg_1", '"after" names no item: msg_1'],
  ])("%s is refused", async (query, message) => {
    const { id } = await ask("Hi");
    const reply = await gateway().fetch(`/v1/responses/${id}/input_items?${query}`, {
      token: gateway().chat,
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { type: "invalid_request_error", message } });
  });
});

describe("an agent's response", () => {
  const agent = { model: "agent/main" };

  test("is continued in its session, and retrieved after a restart", async () => {
    const first = await ask("Milk.", { ...agent, metadata: { list: "food" } });
    const second = await ask("Bread.", { ...agent, previous_response_id: first.id });
    const [session = "", ...others] = await gateway().sessions();
    expect(others).toEqual([]);
    expect(await gateway().told(session)).toEqual([
      "user: Milk.",
      "assistant: Milk.",
      "user: Bread.",
      "assistant: Bread.",
    ]);
    await gateway().restart();
    const retrieved = await client().responses.retrieve(first.id);
    expect(retrieved).toMatchObject({
      id: first.id,
      status: "completed",
      model: "agent/main",
      output_text: "Milk.",
      output: first.output,
      usage: first.usage,
      metadata: { list: "food" },
    });
    expect((await client().responses.retrieve(second.id)).previous_response_id).toBe(first.id);
    expect(await texts(second.id)).toEqual({ texts: ["user: Bread."], more: false });
  });

  test("that is not the last is continued in a copy of the session", async () => {
    const first = await ask("one", agent);
    await ask("two", { ...agent, previous_response_id: first.id });
    const other = await ask("three", { ...agent, previous_response_id: first.id });
    const sessions = await gateway().sessions();
    expect(sessions).toHaveLength(2);
    const told = await Promise.all(sessions.map((session) => gateway().told(session)));
    expect(told).toContainEqual(["user: one", "assistant: one", "user: two", "assistant: two"]);
    expect(told).toContainEqual(["user: one", "assistant: one", "user: three", "assistant: three"]);
    expect((await client().responses.retrieve(other.id)).output_text).toBe("three");
  });

  test("that is asked for twice with one idempotency key is one response", async () => {
    const headers = { "X-Dragoman-Session": "agent:main:groceries", "Idempotency-Key": "k1" };
    const body = { ...agent, input: "Milk." };
    const first = await client().responses.create(body, { headers });
    const again = await client().responses.create(body, { headers });
    expect(again).toEqual({ ...first, created_at: again.created_at });
    expect((await client().responses.retrieve(again.id)).output_text).toBe("Milk.");
  });

  test("is in progress until the agent has answered, and is cancelled only until then", async () => {
    const stream = await client().responses.create({
      model: "agent/worker",
      input: "say: Wait.\nstall",
      stream: true,
    });
    let id = "";
    const seen: object[] = [];
    for await (const event of stream) {
      if (event.type === "response.created") ({ id } = event.response);
      if (event.type !== "response.output_text.delta") continue;
      seen.push(await client().responses.retrieve(id), await client().responses.cancel(id));
    }
    expect(seen).toMatchObject([
      { id, status: "in_progress", usage: null, output: [] },
      { id, status: "cancelled" },
    ]);
    const done = await ask("Hi", agent);
    expect(await client().responses.cancel(done.id)).toMatchObject({ id: done.id, status: "completed" });
  });

  test("is not continued by another agent, or by one in a conversation", async () => {
    const { id } = await ask("say: Hi", { model: "agent/worker" });
    await expect(ask("Hi", { ...agent, previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      param: "previous_response_id",
    });
    const { id: conversation } = await client().conversations.create();
    await expect(ask("Hi", { ...agent, conversation })).rejects.toMatchObject({
      status: 400,
      param: "conversation",
    });
  });

  test("can be continued by a model", async () => {
    const first = await ask("say: Good morning", { model: "agent/worker" });
    const second = await ask("And now?", { previous_response_id: first.id });
    expect((await texts(second.id, { order: "asc" })).texts).toEqual([
      "user: say: Good morning",
      "assistant: Good morning",
      "user: And now?",
    ]);
  });

  test("without store is in the session, and cannot be retrieved", async () => {
    const { data, response } = await client()
      .responses.create({ ...agent, input: "Hi", store: false })
      .withResponse();
    expect(JSON.parse(response.headers.get("x-dragoman-losses") ?? "[]")).toEqual([
      {
        at: "/store",
        what: '"store": false',
        why: "the session of an agent is always stored; only the response cannot be retrieved",
        severity: "dropped",
      },
    ]);
    await expect(client().responses.retrieve(data.id)).rejects.toMatchObject({ status: 404 });
  });

  test("is only for tokens that may use the agent", async () => {
    const { id } = await ask("Hi", agent);
    const { secret } = await gateway().tokens.create("limited", "chat", { agents: ["worker"] });
    await expect(client(secret).responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    const { secret: other } = await gateway().tokens.create("other", "chat");
    expect((await client(other).responses.retrieve(id)).output_text).toBe("Hi");
  });
});
