import { expect, test } from "vitest";
import type { UserMessage } from "../core/types.js";
import { MemoryLog } from "../log/memory/memory-log.js";
import { History } from "./history.js";

function user(content: string): UserMessage {
  return { role: "user", content, timestamp: 1_740_000_000_000 };
}

async function contents(history: History): Promise<unknown[]> {
  return (await history.read()).map((message) => ("content" in message ? message.content : message.role));
}

test("whoever reads at the same time, each message is there once", async () => {
  const session = await new MemoryLog().create({ agent: "main" });
  await session.append([user("one"), user("two")]);
  const history = new History(session, () => undefined);
  await Promise.all([history.read(), history.read(), history.append([user("three")])]);
  expect(await contents(history)).toEqual(["session", "one", "two", "three"]);
});
