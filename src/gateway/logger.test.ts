import { expect, test } from "vitest";
import { makeLogger } from "./logger.js";

test("a stranger's text in a line of the log is only shown by a terminal", () => {
  const lines: string[] = [];
  const logger = makeLogger("info", { write: (line) => void lines.push(line) });
  logger.warn(
    { from: "a\u009b2J\u001b]52;c;eA==\u0007\u202eb", err: new Error("bad\u0090x") },
    "odd \u2066name",
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(lines.join("").trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
  expect(JSON.parse(lines.join(""))).toMatchObject({
    level: "warn",
    from: "a\u009b2J\u001b]52;c;eA==\u0007\u202eb",
    msg: "odd \u2066name",
  });
});
