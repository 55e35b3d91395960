import { expect, test } from "vitest";
import type { AgentMessage } from "../core/types.js";
import { convert } from "./convert.js";

const user = (id: string, content: string): AgentMessage => ({ role: "user", content, timestamp: 1, id });

test("messages with the same id do not replace each other", async () => {
  const source = [user("a", "one"), user("b", "two"), user("a", "three")]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");
  const { output, losses } = await convert(source, { from: "openclaw", to: "gemini-cli" });
  expect(losses.map(({ at, what, why }) => ({ at, what, why }))).toContainEqual({
    at: "/2/id",
    what: 'id ("a")',
    why: "every line needs an id, so one was derived",
  });
  const back = await convert(output, { from: "gemini-cli", to: "openclaw" });
  const messages: AgentMessage[] = back.output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages.flatMap((message) => (message.role === "user" ? [message.content] : []))).toEqual([
    "one",
    "two",
    "three",
  ]);
});
