import { expect, test } from "vitest";
import { derivedId } from "./derived-id.js";

const hello = { role: "user" as const, content: "Hello", timestamp: 0 };

test("an id depends on what is said, on the place in the turn, and on the id before it", () => {
  expect(derivedId(hello, 0)).toBe("msg_0070202d0f2398bb");
  expect(derivedId({ ...hello }, 0)).toBe(derivedId(hello, 0));
  expect(derivedId({ ...hello, content: "Hullo" }, 0)).not.toBe(derivedId(hello, 0));
  expect(derivedId(hello, 1)).not.toBe(derivedId(hello, 0));
  expect(derivedId(hello, 0, "m1")).not.toBe(derivedId(hello, 0));
});

test("many different messages have different ids", () => {
  const ids = new Set(
    Array.from({ length: 50_000 }, (_, index) => derivedId({ ...hello, content: `message ${index}` }, 0)),
  );
  expect(ids.size).toBe(50_000);
});

test("the order of keys makes no other id", () => {
  const image = { type: "image" as const, data: "", mimeType: "image/png" };
  const turned = { mimeType: "image/png", type: "image" as const, data: "" };
  expect(derivedId({ ...hello, content: [turned] }, 0)).toBe(derivedId({ ...hello, content: [image] }, 0));
});
