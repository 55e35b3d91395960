import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { check, providers } from "../../src/convert/check.js";
import { noteOf } from "../../src/core/message/notes.js";
import type { AgentMessage } from "../../src/core/types.js";
import { sessionsFolder } from "../../src/log/files/session-files.js";

/** Numbers from 0 to 1 that are the same in every run. */
export function* chance(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Ids of the user messages, and how often each is there. */
function usersIn(messages: readonly AgentMessage[]): Map<string | undefined, number> {
  const users = new Map<string | undefined, number>();
  for (const { role, id } of messages) if (role === "user") users.set(id, (users.get(id) ?? 0) + 1);
  return users;
}

/** What follows a message, up to the next one of a user. */
export function answerTo(messages: readonly AgentMessage[], id: string): AgentMessage[] {
  const start = messages.findIndex((message) => message.id === id);
  const rest = messages.slice(start + 1).filter((message) => noteOf(message) === undefined);
  const next = rest.findIndex(({ role }) => role === "user");
  return rest.slice(0, next < 0 ? rest.length : next);
}

/** How the answers among them ended, but for those that go on with tools. */
export function endsOf(messages: readonly AgentMessage[]): string[] {
  return messages
    .flatMap((message) =>
      message.role === "assistant" ? message.stopReason : message.role === "error" ? "error" : [],
    )
    .filter((reason) => reason !== "toolUse");
}

/** What any of the providers would refuse in a session of the agent `main`. */
async function problems(home: string, id: string): Promise<string[]> {
  const text = await readFile(join(sessionsFolder(home, "main"), `${id}.jsonl`));
  const found: string[] = [];
  for (const provider of providers) {
    const { problems } = await check(text, { from: "openclaw", for: provider });
    found.push(...problems.map(({ code, message, line }) => `${provider}: line ${line}: ${code} ${message}`));
  }
  return found;
}

/** Everything that was accepted is there once and answered once, and any model would go on from here. */
export async function expectSound(
  home: string,
  id: string,
  messages: readonly AgentMessage[],
  accepted: readonly string[],
): Promise<void> {
  const users = usersIn(messages);
  expect(accepted.filter((sent) => users.get(sent) !== 1)).toEqual([]);
  expect([...users.values()].filter((count) => count > 1)).toEqual([]);
  const ends = accepted.map((sent) => endsOf(answerTo(messages, sent)));
  expect(ends.filter(({ length }) => length !== 1)).toEqual([]);
  expect(await problems(home, id)).toEqual([]);
}

/** Answers that break off because their process was killed. */
export function cutAnswers(messages: readonly AgentMessage[]): number {
  return messages.filter((message) => message.role === "assistant" && message.stopReason === "error").length;
}
