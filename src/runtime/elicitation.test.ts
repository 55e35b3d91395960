import { expect, test } from "vitest";
import { MemoryStore } from "../log/memory/memory-store.js";
import { elicitFrom } from "./elicitation.js";
import { Permissions } from "./permissions.js";
import type { ConversationEvent } from "./types.js";

const call = { type: "toolCall", id: "1", name: "s__t", arguments: {} } as const;
const { signal } = new AbortController();
const form = {
  message: "Who?",
  requestedSchema: {
    properties: {
      name: { type: "string" },
      age: { type: "integer", default: 30 },
      colour: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
      tags: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
    },
    required: ["name"],
  },
};

async function permissionsWith(waits: boolean, emit: (event: ConversationEvent) => void) {
  const session = await new MemoryStore().log.create({ agent: "main" });
  return new Permissions({
    session,
    append: async (note) => void (await session.append([note])),
    now: () => 1000,
    waits,
    expireAfterMs: 60_000,
    emit,
    onFailure: (error) => {
      throw error;
    },
  });
}

/** Answers the question once it is asked. */
async function asking(answer: (id: string, permissions: Permissions) => unknown) {
  const events: ConversationEvent[] = [];
  const permissions: Permissions = await permissionsWith(true, (event) => {
    events.push(event);
    if (event.type === "permission") queueMicrotask(() => answer(event.request.id, permissions));
  });
  return { elicit: elicitFrom(permissions, "s", call), events };
}

test("a form is shown with its fields, and accepted with checked values and defaults", async () => {
  const { elicit, events } = await asking(async (id, permissions) => {
    await expect(permissions.answer(id, "once")).rejects.toThrow("name: expected a text");
    const wrong = { name: "Ann", colour: "blue" };
    await expect(permissions.answer(id, "once", { values: wrong })).rejects.toThrow(
      "colour: expected one of Red, Green",
    );
    expect(await permissions.answer(id, "once", { values: { name: "Ann", tags: ["a"] } })).toBe(true);
  });
  expect(await elicit(form, signal)).toEqual({
    action: "accept",
    content: { name: "Ann", age: 30, tags: ["a"] },
  });
  expect(events[0]).toMatchObject({
    type: "permission",
    request: {
      toolCall: { name: "s__t" },
      question: {
        server: "s",
        message: "Who?",
        fields: [
          { name: "name", title: "name", type: "text", required: true },
          { name: "age", title: "age", type: "integer", required: false, default: 30 },
          {
            name: "colour",
            type: "choice",
            options: [
              { value: "r", title: "Red" },
              { value: "g", title: "Green" },
            ],
          },
          { name: "tags", type: "choices", options: [{ value: "a", title: "A" }] },
        ],
      },
    },
  });
});

test("a question is declined by the user, and cancelled if no approver can come", async () => {
  const { elicit } = await asking((id, permissions) => permissions.answer(id, "never"));
  expect(await elicit(form, signal)).toEqual({ action: "decline" });
  const unanswered = elicitFrom(await permissionsWith(false, () => undefined), "s", call);
  expect(await unanswered(form, signal)).toEqual({ action: "cancel" });
});

test("a page is accepted without content; other addresses and nested forms are refused", async () => {
  const { elicit } = await asking((id, permissions) => permissions.answer(id, "once"));
  expect(await elicit({ mode: "url", message: "Log in", url: "https://example.com/x" }, signal)).toEqual({
    action: "accept",
  });
  await expect(elicit({ mode: "url", message: "x", url: "javascript:alert(1)" }, signal)).rejects.toThrow(
    "http URL",
  );
  const nested = { message: "x", requestedSchema: { properties: { a: { type: "object" } } } };
  await expect(elicit(nested, signal)).rejects.toThrow("primitive types");
});
