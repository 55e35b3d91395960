import { expect, test } from "vitest";
import { answer } from "../../test/fakes/scripted-model.js";
import { told, user } from "../../test/fakes/watching.js";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { noteMessage } from "../core/message/notes.js";
import { openHome } from "../log/files/home.js";
import type { SessionLog } from "../log/types.js";
import { fork } from "./copy.js";

const inHome = folderForEachTest();
const KEY = "agent:main:rpc:dm:k1";

async function linesOf(session: SessionLog): Promise<string[]> {
  const messages = [];
  for await (const { message } of session.read()) messages.push(message);
  return told(messages);
}

async function sourceIn(log: ReturnType<typeof openHome>): Promise<SessionLog> {
  const source = await log.create({ agent: "main" });
  await source.append([user("one"), user("two")]);
  await source.append([noteMessage({ type: "dragoman/inbox", data: { message: user("waits") } }, 1)]);
  return source;
}

test("whoever asks again with the same key gets the same copy, whatever has happened since", async () => {
  const log = openHome(inHome());
  const source = await sourceIn(log);
  const first = await fork(log, source, { key: KEY });
  await source.append([user("three")]);
  await first.append([user("another way")]);
  const again = await fork(log, source, { key: KEY });
  expect(again.id).toBe(first.id);
  expect(await linesOf(again)).toEqual(["session", "user: one", "user: two", "user: another way"]);
  const other = await log.create({ agent: "main" });
  await expect(fork(log, other, { key: KEY })).rejects.toMatchObject({ code: "log/bad-key" });
});

test("all who ask at the same time get the same copy", async () => {
  const log = openHome(inHome());
  const source = await sourceIn(log);
  const copies = await Promise.all([1, 2, 3].map(() => fork(log, source, { key: KEY })));
  expect(new Set(copies.map(({ id }) => id)).size).toBe(1);
  expect(await linesOf(await fork(log, source, { key: KEY }))).toEqual(["session", "user: one", "user: two"]);
});

test("a tool that runs in a copy is not closed when the copy is asked for again", async () => {
  const log = openHome(inHome());
  const source = await sourceIn(log);
  const copy = await fork(log, source, { key: KEY });
  await copy.append([answer([{ type: "toolCall", id: "c1", name: "exec", arguments: {} }])]);
  const lines = ["session", "user: one", "user: two", "assistant (toolUse): toolCall"];
  expect(await linesOf(await fork(log, source, { key: KEY }))).toEqual(lines);
  // A copy of its own has nobody who could run the tool.
  expect(await linesOf(await fork(log, copy))).toEqual([...lines, "toolResult (error)"]);
});

test("what is appended to a copy follows the results of its open calls, which models ask for first", async () => {
  const log = openHome(inHome());
  const source = await log.create({ agent: "main" });
  await source.append([user("one"), answer([{ type: "toolCall", id: "c1", name: "exec", arguments: {} }])]);
  expect(await linesOf(await fork(log, source, { after: [user("then")] }))).toEqual([
    "session",
    "user: one",
    "assistant (toolUse): toolCall",
    "toolResult (error)",
    "user: then",
  ]);
});

test("a copy under a key says after which message it parted, and has nothing that was said after it", async () => {
  const log = openHome(inHome());
  const source = await log.create({ agent: "main" });
  const { messages } = await source.append([user("one"), user("two")]);
  const read = source.read.bind(source);
  source.read = async function* (...given) {
    await source.append([user("three")]);
    yield* read(...given);
  };
  const copy = await fork(log, source, { key: KEY });
  expect(copy.header.parent).toEqual({ session: source.id, message: messages[1]?.id });
  expect(await linesOf(copy)).toEqual(["session", "user: one", "user: two"]);
});
