import { expect, test } from "vitest";
import { answer } from "../../test/fakes/scripted-model.js";
import { told, user } from "../../test/fakes/watching.js";
import { newId } from "../core/ids.js";
import { MemoryStore } from "../log/memory/memory-store.js";
import { History } from "./history.js";
import { recover } from "./recover.js";
import { RunRecorder } from "./run-recorder.js";

/** A session with a question, and the mark of a process that was killed while it answered it. */
async function killed() {
  const store = new MemoryStore();
  const session = await store.log.create({ agent: "main" });
  const lease = await store.log.lease(session.id);
  if (lease === undefined) throw new Error("the session is leased already");
  const question = { ...user("hi"), id: newId() };
  await session.append([question]);
  const runMark = store.mark(session.id, lease);
  const mark = new RunRecorder(runMark, () => question.id);
  await mark.open();
  mark.beginAnswer(answer([]));
  await mark.push({ type: "text_start", contentIndex: 0 });
  await mark.push({ type: "text_delta", contentIndex: 0, delta: "Hello" });
  await mark.close();
  return { session, mark: runMark, lease };
}

async function recovered({ session, mark, lease }: Awaited<ReturnType<typeof killed>>) {
  const history = new History(session, () => undefined);
  const { isUnanswered } = await recover(session, history, mark, lease);
  return { isUnanswered, messages: told(await history.read()) };
}

test("an answer that was cut off is stored as far as it came, once", async () => {
  const left = await killed();
  const expected = { isUnanswered: false, messages: ["session", "user: hi", "assistant (error): Hello"] };
  expect(await recovered(left)).toEqual(expected);
  // The next process may be killed before it removes the mark.
  expect(await recovered(left)).toEqual(expected);
});

test("an answer that was stored whole before its mark was cleared is not stored again in part", async () => {
  const left = await killed();
  await left.session.append([answer([{ type: "text", text: "Hello, world" }])]);
  expect(await recovered(left)).toEqual({
    isUnanswered: false,
    messages: ["session", "user: hi", "assistant (stop): Hello, world"],
  });
});
