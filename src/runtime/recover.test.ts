import { expect, test } from "vitest";
import { answer } from "../../test/fakes/scripted-model.js";
import { told, user } from "../../test/fakes/watching.js";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { newId } from "../core/ids.js";
import { MemoryLog } from "../log/memory/memory-log.js";
import { History } from "./history.js";
import { recover } from "./recover.js";
import { RunMark } from "./run-mark.js";

const path = folderForEachTest();

/** A session with a question, and the mark of a process that was killed while it answered it. */
async function killed() {
  const session = await new MemoryLog().create({ agent: "main" });
  const question = { ...user("hi"), id: newId() };
  await session.append([question]);
  const mark = new RunMark(path("mark"), () => question.id);
  await mark.open();
  mark.beginAnswer(answer([]));
  await mark.push({ type: "text_start", contentIndex: 0 });
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "Hello" });
  await mark.close();
  return session;
}

async function recovered(session: Awaited<ReturnType<typeof killed>>) {
  const history = new History(session, () => undefined);
  const isUnanswered = await recover(session, history, path("mark"));
  return { isUnanswered, messages: told(await history.read()) };
}

test("an answer that was cut off is stored as far as it came, once", async () => {
  const session = await killed();
  const expected = { isUnanswered: false, messages: ["session", "user: hi", "assistant (error): Hello"] };
  expect(await recovered(session)).toEqual(expected);
  // The next process may be killed before it removes the mark.
  expect(await recovered(session)).toEqual(expected);
});

test("an answer that was stored whole before its mark was cleared is not stored again in part", async () => {
  const session = await killed();
  await session.append([answer([{ type: "text", text: "Hello, world" }])]);
  expect(await recovered(session)).toEqual({
    isUnanswered: false,
    messages: ["session", "user: hi", "assistant (stop): Hello, world"],
  });
});
