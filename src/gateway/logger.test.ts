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

test("a line has the level, the time, the fields and the text, and an error its cause", () => {
  const lines: string[] = [];
  const logger = makeLogger("info", { write: (line) => void lines.push(line) });
  const cause = Object.assign(new Error("no such file"), {
    code: "ENOENT",
    request: { headers: { a: "b" } },
  });
  logger.error({ id: 7, err: new TypeError("cannot read", { cause }) }, "a request failed");
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith("}\n")).toBe(true);
  const { time, ...line } = JSON.parse(lines[0] ?? "");
  expect(new Date(time).toISOString()).toBe(time);
  expect(line).toEqual({
    level: "error",
    id: 7,
    err: {
      type: "TypeError",
      message: "cannot read",
      stack: expect.stringContaining("logger.test"),
      cause: {
        type: "Error",
        message: "no such file",
        stack: expect.stringContaining("logger.test"),
        code: "ENOENT",
      },
    },
    msg: "a request failed",
  });
});

test("headers, keys and tokens are not logged, nor are lines below the level", () => {
  const lines: string[] = [];
  const logger = makeLogger("warn", { write: (line) => void lines.push(line) });
  logger.info({}, "a detail");
  logger.warn(
    { headers: { cookie: "a" }, to: { url: "u", apiKey: "k", secret: "s" } },
    "sent Bearer abcdefgh",
  );
  const [line, ...others] = lines.map((line) => JSON.parse(line));
  expect(others).toEqual([]);
  expect(line).toMatchObject({ level: "warn", to: { url: "u" }, msg: "sent Bearer [secret]" });
  expect(line.to).toEqual({ url: "u" });
  expect(line).not.toHaveProperty("headers");
});

test("a field that is not JSON costs the fields, not the line", () => {
  const lines: string[] = [];
  const logger = makeLogger("info", { write: (line) => void lines.push(line) });
  logger.info({ count: 1n }, "counted");
  expect(JSON.parse(lines.join(""))).toMatchObject({
    level: "info",
    fields: "not shown: Do not know how to serialize a BigInt",
    msg: "counted",
  });
});
