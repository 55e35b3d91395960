import { expect, test } from "vitest";
import { snippetOf } from "./snippet.js";

/** `[` and `]` stand for the marks. */
function shown(text: string): string {
  const marked = text.replaceAll("[", "\ufdd0").replaceAll("]", "\ufdd1");
  return snippetOf(marked)
    .map((part) => (part.match ? `[${part.text}]` : part.text))
    .join("");
}

test("a short text is shown whole, in one line", () => {
  expect(shown("the [log]\n\n  file")).toBe("the [log] file");
});

test("what was added for the index is not shown", () => {
  expect(shown("\u200b全\u200b[文\u200b搜]\u200b")).toBe("全[文搜]");
});

test("of a long text that is shown which holds most of what was searched for", () => {
  const far = "x".repeat(300);
  expect(shown(`[log] ${far} [log] of the [parser] ${far}`)).toBe(
    `…${"x".repeat(59)} [log] of the [parser] ${"x".repeat(162)}…`,
  );
});

test("no character is cut in two", () => {
  expect(shown(`${"😀".repeat(100)}a[log]${"😀".repeat(200)}`)).toBe(
    `…${"😀".repeat(30)}a[log]${"😀".repeat(88)}…`,
  );
});

test("a match that is longer than a snippet is cut", () => {
  expect(shown(`[${"a".repeat(1000)}]`)).toBe(`[${"a".repeat(240)}]…`);
});
