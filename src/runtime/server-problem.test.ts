import { expect, test } from "vitest";
import { problemIn } from "./server-problem.js";

test.each([
  [{ command: "npx", args: ["x"], env: { A: "b" } }, undefined],
  [{ type: "http", url: "https://x", headers: { a: "b" } }, undefined],
  [{ type: "stdio", command: "npx" }, undefined],
  [{}, "a server needs `command` or `url`"],
  [{ command: "npx", url: "https://x" }, "a server has either `command` or `url`"],
  [{ type: "sse", url: "https://x" }, 'the transport "sse" is not supported'],
  [{ type: "stdio", url: "https://x" }, 'the type "stdio" does not fit'],
  [{ url: "https://x", env: { A: "b" } }, "`args`, `env` and `cwd` need `command`"],
  [{ command: "npx", headers: {} }, "`headers` and `oauth` need `url`"],
  [{ command: "npx", oauth: {} }, "`headers` and `oauth` need `url`"],
] as const)("%j: %s", (settings, message) => {
  expect(problemIn(settings as Parameters<typeof problemIn>[0])?.message).toBe(message);
});
