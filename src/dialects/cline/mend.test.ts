import { expect, test } from "vitest";
import { mend } from "./mend.js";

const result = { type: "tool_result", tool_use_id: "c1", content: "ok" };

test.each(["user", "assistant"])("a string as the content of the role %s becomes a text block", (role) => {
  expect(mend({ id: "m", role, content: "hi", ts: 5 })).toEqual({
    records: [{ id: "m", role, content: [{ type: "text", text: "hi" }], ts: 5 }],
    changes: ["The content was a string; an array of one text block was written."],
  });
});

test("a result that says nothing of errors is none", () => {
  const content = [result, { ...result, tool_use_id: "c2", is_error: true }, { type: "text", text: "and" }];
  expect(mend({ id: "m", role: "user", content })).toEqual({
    records: [
      {
        id: "m",
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "ok", is_error: false },
          { type: "tool_result", tool_use_id: "c2", content: "ok", is_error: true },
          { type: "text", text: "and" },
        ],
      },
    ],
    changes: ['The result for "c1" had no is_error; false was written.'],
  });
});

test.each([
  ["what is right", { role: "user", content: [{ ...result, is_error: false }] }],
  ["an error in words", { role: "user", content: [{ ...result, is_error: "no" }] }],
  ["a result in the wrong place", { role: "assistant", content: [result] }],
  ["the header", { version: 1, agent: "lead", content: "x" }],
  ["another role", { role: "tool", content: "x" }],
])("%s is left alone", (_name, record) => expect(mend(record)).toBeUndefined());
