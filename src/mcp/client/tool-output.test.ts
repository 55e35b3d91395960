import { expect, test } from "vitest";
import { contentOf, outputOf } from "./tool-output.js";

const details = { server: "s", tool: "t" };

test.each([
  [
    { type: "text", text: "a" },
    { type: "text", text: "a" },
  ],
  [
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
  ],
  [
    { type: "audio", data: "aG\nk=", mimeType: "audio/wav" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
  ],
  [
    { type: "image", data: "no base64!", mimeType: "image/png" },
    { type: "text", text: "[image (image/png): its data is not valid Base64]" },
  ],
  [
    { type: "resource", resource: { uri: "file:///a.txt", text: "hello" } },
    { type: "text", text: "[resource file:///a.txt]\nhello" },
  ],
  [
    { type: "resource", resource: { uri: "file:///a.pdf", mimeType: "application/pdf", blob: "aGk=" } },
    { type: "file", data: "aGk=", mimeType: "application/pdf", name: "file:///a.pdf" },
  ],
  [
    { type: "resource_link", uri: "file:///a", name: "A", mimeType: "text/plain" },
    { type: "text", text: "[resource A: file:///a, text/plain]" },
  ],
  [
    { type: "hologram", data: 1 },
    { type: "text", text: '{"type":"hologram","data":1}' },
  ],
])("%j becomes %j", (block, expected) => {
  expect(contentOf(block)).toEqual([expected]);
});

test("structured content is in the details, and is shown if there is nothing else", () => {
  expect(outputOf({ content: [], structuredContent: { a: 1 } }, details)).toEqual({
    content: [{ type: "text", text: '{"a":1}' }],
    details: { server: "s", tool: "t", structuredContent: { a: 1 } },
    isError: false,
  });
  expect(outputOf({}, details).content).toEqual([{ type: "text", text: "[no output]" }]);
});

test("a failure of the tool stays readable", () => {
  expect(
    outputOf({ content: [{ type: "text", text: "no such file" }], isError: true }, details),
  ).toMatchObject({
    content: [{ type: "text", text: "no such file" }],
    isError: true,
  });
});

test("the middle of a long text is cut, with a note", () => {
  const text = `${"a".repeat(80_000)}${"b".repeat(80_000)}`;
  const [block] = outputOf({ content: [{ type: "text", text }] }, details).content as { text: string }[];
  expect(block?.text).toBe(`${"a".repeat(50_000)}\n[… 60000 characters cut …]\n${"b".repeat(50_000)}`);
});
