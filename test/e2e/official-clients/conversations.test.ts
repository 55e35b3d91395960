import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { gatewayForEachTest } from "./gateway.js";

const gateway = gatewayForEachTest();

function client(token = gateway().chat): OpenAI {
  return new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: token, maxRetries: 0 });
}

const user = (content: string) => ({ type: "message" as const, role: "user" as const, content });

async function itemsOf(id: string, query: OpenAI.Conversations.ItemListParams = { order: "asc" }) {
  const items: OpenAI.Conversations.ConversationItem[] = [];
  for await (const item of client().conversations.items.list(id, query)) items.push(item);
  return items;
}

describe("a conversation", () => {
  test("is created, changed, retrieved after a restart, and deleted", async () => {
    const { secret } = await gateway().tokens.create("client", "chat");
    const created = await client(secret).conversations.create({ metadata: { topic: "demo" } });
    expect(created).toEqual({
      id: expect.stringMatching(/^conv_[0-9A-Z]{26}$/),
      object: "conversation",
      created_at: expect.any(Number),
      metadata: { topic: "demo" },
    });
    const { id } = created;
    const changed = { ...created, metadata: { topic: "other" } };
    expect(await client(secret).conversations.update(id, { metadata: { topic: "other" } })).toEqual(changed);
    await gateway().restart();
    expect(await client(secret).conversations.retrieve(id)).toEqual(changed);
    expect(await client(secret).conversations.delete(id)).toEqual({
      id,
      object: "conversation.deleted",
      deleted: true,
    });
    await expect(client(secret).conversations.retrieve(id)).rejects.toMatchObject({
      status: 404,
      message: `404 Conversation with id '${id}' not found.`,
    });
  });

  test("can be created without a body", async () => {
    const reply = await gateway().fetch("/v1/conversations", { method: "POST", token: gateway().chat });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ object: "conversation", metadata: {} });
  });

  test("has items, which are created, listed, retrieved and deleted", async () => {
    const { id } = await client().conversations.create({ items: [user("a")] });
    const added = await client().conversations.items.create(id, {
      items: [
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
        { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "done" },
        user("b"),
      ],
    });
    expect(added).toMatchObject({ object: "list", has_more: false, first_id: "rs_1" });
    expect(added.data).toMatchObject([
      { type: "reasoning", id: "rs_1", encrypted_content: "sealed" },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output: "done" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "b" }] },
    ]);
    const all = await itemsOf(id);
    expect(all.map(({ type }) => type)).toEqual([
      "message",
      "reasoning",
      "function_call",
      "function_call_output",
      "message",
    ]);
    expect((await itemsOf(id, { limit: 2 })).map((item) => item.id)).toEqual(
      all.map((item) => item.id).reverse(),
    );
    const [, , , output] = all;
    const name = output?.id ?? "";
    expect(await client().conversations.items.retrieve(name, { conversation_id: id })).toEqual(output);
    expect(await client().conversations.items.delete("fc_1", { conversation_id: id })).toMatchObject({ id });
    await client().conversations.items.delete(name, { conversation_id: id });
    await expect(client().conversations.items.retrieve(name, { conversation_id: id })).rejects.toMatchObject({
      status: 404,
    });
    expect((await itemsOf(id)).map(({ type }) => type)).toEqual(["message", "reasoning", "message"]);
  });

  test("is the context of responses, which become its items", async () => {
    const { id } = await client().conversations.create({ items: [user("one two")] });
    const asked = { model: "demo/echo", conversation: id };
    const first = await client().responses.create({ ...asked, input: "three" });
    expect(first).toMatchObject({ conversation: { id }, store: true, output_text: "three" });
    expect(first.usage?.input_tokens).toBe(3);
    const stream = client().responses.stream({ ...asked, conversation: { id }, input: "four" });
    for await (const event of stream) {
      if ("response" in event) expect(event.response.conversation).toEqual({ id });
    }
    const second = await stream.finalResponse();
    expect(second.usage?.input_tokens).toBe(5);
    expect((await itemsOf(id)).map((item) => ("content" in item ? item.content : undefined))).toMatchObject([
      [{ type: "input_text", text: "one two" }],
      [{ type: "input_text", text: "three" }],
      [{ type: "output_text", text: "three" }],
      [{ type: "input_text", text: "four" }],
      [{ type: "output_text", text: "four" }],
    ]);
    expect(await client().responses.retrieve(second.id)).toMatchObject({ conversation: { id } });
  });

  test("without a deleted item does not show it to the model", async () => {
    const { id } = await client().conversations.create({ items: [user("one two"), user("three")] });
    const [item] = await itemsOf(id);
    await client().conversations.items.delete(item?.id ?? "", { conversation_id: id });
    const response = await client().responses.create({ model: "demo/echo", conversation: id, input: "four" });
    expect(response.usage?.input_tokens).toBe(2);
  });

  test("is left by a response that continues one of its responses", async () => {
    const { id } = await client().conversations.create();
    const inside = await client().responses.create({ model: "demo/echo", conversation: id, input: "in" });
    const outside = await client().responses.create({
      model: "demo/echo",
      previous_response_id: inside.id,
      input: "out",
    });
    expect(outside.conversation).toBeNull();
    expect(outside.usage?.input_tokens).toBe(3);
    expect(await itemsOf(id)).toHaveLength(2);
  });

  test.each([
    [{ conversation: "conv_unknown" }, 404, "Conversation with id 'conv_unknown' not found."],
    [{ conversation: 7 }, 400, 'expected the id of a conversation, such as "conv_…" (at /conversation)'],
    [
      { conversation: "conv_1", previous_response_id: "resp_1" },
      400,
      "a request has a previous_response_id or a conversation, not both (at /conversation)",
    ],
  ])("that cannot be used is refused: %o", async (state, status, message) => {
    const reply = await gateway().fetch("/v1/responses", {
      method: "POST",
      token: gateway().chat,
      body: JSON.stringify({ model: "demo/echo", input: "Hi", ...state }),
    });
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ error: { message, type: "invalid_request_error" } });
  });

  test("stores its responses", async () => {
    const { id } = await client().conversations.create();
    await expect(
      client().responses.create({ model: "demo/echo", conversation: id, input: "Hi", store: false }),
    ).rejects.toMatchObject({ status: 400, param: "store" });
  });

  test.each([
    ["metadata that is not text", { metadata: { a: 1 } }, "expected a text (at /metadata/a)"],
    ["metadata that is a list", { metadata: [] }, "expected an object of texts (at /metadata)"],
    [
      "long metadata",
      { metadata: { a: "x".repeat(513) } },
      "a key has at most 64 characters, a value 512 (at /metadata/a)",
    ],
    ["a text as items", { items: "x" }, "expected a list of items (at /items)"],
    ["many items", { items: Array(21).fill(user("x")) }, "send at most 20 items at a time (at /items)"],
    ["a number as an item", { items: [user("x"), 5] }, "expected an object, found 5 (at /items/1)"],
  ])("cannot be created with %s", async (_, body, message) => {
    const reply = await gateway().fetch("/v1/conversations", {
      method: "POST",
      token: gateway().chat,
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { message } });
    expect(await gateway().sessions()).toEqual([]);
  });
});
