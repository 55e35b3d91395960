import { expect, test } from "vitest";
import { formatMarkdown } from "./index.js";

test("what formats nothing is told everything", () => {
  const markdown =
    "# a\n\n**b** `c` [d](https://x.y)\n\n- [ ] e\n  - f\n\n> g\n> h\n\n```js\ni\n```\n\n|j|\n|-|\n|k|";
  const text = "a\n\nb c d (https://x.y)\n\n- [ ] e\n  - f\n\n> g\n> h\n\ni\n\nj\n─\nk";
  expect(formatMarkdown(markdown, "plain")).toEqual([{ text, plain: text }]);
});
