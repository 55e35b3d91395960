import { expect, test } from "vitest";
import { openclaw } from "../dialects/openclaw/index.js";
import { limitOn } from "./field-loss.js";

const target = {
  ...openclaw,
  limits: [
    { at: "/details/a", role: "toolResult", why: "no a" },
    { at: "/content/*/ext", why: "no ext" },
    { at: "", role: "session", why: "no session" },
  ],
};

test.each([
  [["details", "a"], "toolResult", "missing", "no a"],
  [["details", "a", "b"], "toolResult", "missing", "no a"],
  [["details", "a.b"], "toolResult", "missing", undefined],
  [["details", "a"], "user", "missing", undefined],
  [["content", 0, "ext"], "user", "missing", "no ext"],
  [["content", "0", "ext"], "user", "missing", "no ext"],
  [["title"], "session", "missing", "no session"],
  [["title"], "session", "extra", undefined],
] as const)("the reason for %j of %s, %s", (path, role, kind, expected) => {
  expect(limitOn(path, role, target, kind)).toBe(expected);
  expect(limitOn(path, role, target, kind)).toBe(expected);
});

test("reasons stay the same after many others", () => {
  for (let index = 0; index < 20_000; index++) {
    expect(limitOn(["content", index, "ext"], "user", target)).toBe("no ext");
  }
  expect(limitOn(["content", 0, "text"], "user", target)).toBeUndefined();
});
