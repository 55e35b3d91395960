import { expect, test } from "vitest";
import { visible } from "./visible-text.js";

test.each([
  ["invoice\u202efdp.exe", "invoice⟨U+202E⟩fdp.exe"],
  ["a\u200bb\u0007", "a⟨U+200B⟩b⟨U+0007⟩"],
  ["if (a) {\n\treturn;\r\n}", "if (a) {\n\treturn;\r\n}"],
  ["שלום 👩‍💻", "שלום 👩‍💻"],
])("%j", (text, expected) => {
  expect(visible(text)).toBe(expected);
});
