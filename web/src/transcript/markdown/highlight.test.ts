import { expect, test } from "vitest";
import { highlighter } from "./highlight.js";

test("code is cut into spans, and nothing of it is lost", async () => {
  const code = 'export function* lines(text: string) {\n  // why\n  yield `a`;\n}\n<b class="x">';
  expect(highlighter.isLoaded("ts")).toBe(false);
  expect(await highlighter.load("ts")).toBe(true);
  expect(highlighter.isLoaded("TypeScript")).toBe(true);
  const spans = highlighter.spans(code, "ts");
  expect(spans.map(({ text }) => text).join("")).toBe(code);
  expect(spans.slice(0, 6)).toEqual([
    { text: "export", scope: "hl-keyword" },
    { text: " ", scope: undefined },
    { text: "function", scope: "hl-keyword" },
    { text: "* ", scope: undefined },
    { text: "lines", scope: "hl-title" },
    { text: "(", scope: undefined },
  ]);
});

test("code within code, and a language that nobody knows", async () => {
  await Promise.all(["html", "js", "css"].map((language) => highlighter.load(language)));
  const spans = highlighter.spans("<script>const a = 1;</script>", "html");
  expect(spans.map(({ text }) => text).join("")).toBe("<script>const a = 1;</script>");
  expect(spans).toContainEqual({ text: "const", scope: "hl-keyword" });
  expect(await highlighter.load("klingon")).toBe(false);
  expect(await highlighter.load("constructor")).toBe(false);
});
