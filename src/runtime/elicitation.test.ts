import { expect, test } from "vitest";
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

/** Answers the question with each of these in turn. */
function asking(answer: (id: string, permissions: Permissions) => void) {
  const events: ConversationEvent[] = [];
  const permissions: Permissions = new Permissions((event) => {
    events.push(event);
    if (event.type === "permission") queueMicrotask(() => answer(event.request.id, permissions));
  });
  permissions.addApprover();
  return { elicit: elicitFrom(permissions, "s", call), events };
}

test("a form is shown with its fields, and accepted with checked values and defaults", async () => {
  const { elicit, events } = asking((id, permissions) => {
    expect(() => permissions.answer(id, "once", {})).toThrow("name: expected a text");
    expect(() => permissions.answer(id, "once", { name: "Ann", colour: "blue" })).toThrow(
      "colour: expected one of Red, Green",
    );
    expect(permissions.answer(id, "once", { name: "Ann", tags: ["a"] })).toBe(true);
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

test("a question is declined by the user, and cancelled if no one is there", async () => {
  const { elicit } = asking((id, permissions) => permissions.answer(id, "never"));
  expect(await elicit(form, signal)).toEqual({ action: "decline" });
  const nobody = elicitFrom(new Permissions(() => undefined), "s", call);
  expect(await nobody(form, signal)).toEqual({ action: "cancel" });
});

test("a page is accepted without content; other addresses and nested forms are refused", async () => {
  const { elicit } = asking((id, permissions) => permissions.answer(id, "once"));
  expect(await elicit({ mode: "url", message: "Log in", url: "https://example.com/x" }, signal)).toEqual({
    action: "accept",
  });
  await expect(elicit({ mode: "url", message: "x", url: "javascript:alert(1)" }, signal)).rejects.toThrow(
    "http URL",
  );
  const nested = { message: "x", requestedSchema: { properties: { a: { type: "object" } } } };
  await expect(elicit(nested, signal)).rejects.toThrow("primitive types");
});
