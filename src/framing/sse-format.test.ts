import { expect, test } from "vitest";
import { formatComment, formatSse } from "./sse-format.js";

test.each([
  [{ data: "a" }, "data: a\n\n"],
  [{ data: "" }, "data: \n\n"],
  [{ data: " a" }, "data:  a\n\n"],
  [{ event: "x", data: "a", id: "7", retry: 250 }, "event: x\nid: 7\nretry: 250\ndata: a\n\n"],
  [{ event: "", data: "a", id: "" }, "id: \ndata: a\n\n"],
  [{ data: "a\nb\rc\r\nd\n" }, "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n"],
])("%j", (event, text) => expect(formatSse(event)).toBe(text));

test.each([
  [{ event: "a\nb", data: "" }, 'cannot write the event: a line ending in "event"'],
  [{ event: "a\rb", data: "" }, 'cannot write the event: a line ending in "event"'],
  [{ id: "a\n", data: "" }, 'cannot write the event: a line ending in "id"'],
  [{ id: "a\0", data: "" }, 'cannot write the event: NUL in "id"'],
  [{ retry: -1, data: "" }, 'cannot write the event: "retry" is -1'],
  [{ retry: 1.5, data: "" }, 'cannot write the event: "retry" is 1.5'],
  [{ retry: Number.POSITIVE_INFINITY, data: "" }, 'cannot write the event: "retry" is Infinity'],
])("%j is refused", (event, problem) => {
  expect(() => formatSse(event)).toThrow(
    expect.objectContaining({ code: "framing/bad-field", message: problem }),
  );
});

test("a comment is a line for each of its lines, and a blank one", () => {
  expect(formatComment("ping")).toBe(": ping\n\n");
  expect(formatComment("")).toBe(": \n\n");
  expect(formatComment("a\r\nb\rc")).toBe(": a\n: b\n: c\n\n");
});
