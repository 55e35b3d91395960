import { expect, onTestFinished, test, vi } from "vitest";
import type { AssistantMessage } from "../../core/types.js";
import { MemoryStore } from "../../log/memory/memory-store.js";
import { LiveState } from "../live-state.js";
import type { ConversationEvent } from "../types.js";
import type { RemoteStep } from "./owner.js";
import { RunMirror } from "./run-mirror.js";

const answer: AssistantMessage = {
  role: "assistant",
  id: "a1",
  content: [{ type: "text", text: "Good morning" }],
  api: "demo",
  provider: "demo",
  model: "echo",
  usage: {
    ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 1,
};

const name = { role: "assistant", id: "a1" } as const;
const delta = { type: "text_delta", contentIndex: 0, delta: "Good morning" } as const;
const steps: RemoteStep["step"][] = [
  { type: "run_start" },
  { type: "message_start", message: name },
  { type: "message_update", assistantMessageEvent: { type: "text_start", contentIndex: 0 } },
  { type: "message_update", assistantMessageEvent: delta },
  { type: "message_end", message: name },
  { type: "run_end", outcome: "done" },
];

async function mirror() {
  const session = await new MemoryStore().log.create({ agent: "main" });
  const emitted: ConversationEvent[] = [];
  let wake: () => void = () => undefined;
  const run = new RunMirror(
    {
      session,
      live: new LiveState(),
      emit: (event) => void emitted.push(event),
      onFailure: (error) => expect.fail(String(error)),
      now: () => 1,
    },
    () => wake(),
  );
  const types = () => emitted.map((event) => (event.type === "agent" ? event.event.type : event.type));
  const ended = () =>
    new Promise<string[]>((resolve) => {
      wake = () => {
        if (types().at(-1) === "run_end") resolve(types());
      };
      wake();
    });
  const deliver = (from: number, until = steps.length) => {
    for (const [index, step] of steps.entries()) {
      if (index >= from && index < until) run.onStep({ runId: "r1", seq: index + 1, step });
    }
  };
  /** Appends the answer, and reports it as a feed does. */
  const store = async () => {
    await session.append([answer]);
    for (const entry of await session.last(1)) run.observeStored(entry);
  };
  return { session, run, types, ended, deliver, store };
}

test("the steps of a run elsewhere are its events here", async () => {
  const { session, run, ended, deliver } = await mirror();
  run.onJoin({ position: await session.end() });
  await session.append([answer]);
  deliver(0);
  expect(await ended()).toEqual([
    "run_start",
    "message_start",
    "message_update",
    "message_update",
    "message_end",
    "run_end",
  ]);
});

test("text of an answer that arrives after the stored answer is not shown again", async () => {
  const { session, run, ended, deliver, store } = await mirror();
  run.onJoin({ position: await session.end() });
  await store();
  deliver(0);
  expect(await ended()).toEqual(["run_start", "message_end", "run_end"]);
});

test("neither is text of an answer that was stored before the run was joined", async () => {
  const { session, run, ended, deliver } = await mirror();
  const position = await session.end();
  await session.append([answer]);
  run.onJoin({ position, run: { runId: "r1", seq: 1 } });
  deliver(1);
  expect(await ended()).toEqual(["run_start", "message_end", "run_end"]);
});

test("a stored message whose step does not arrive is shown without it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { session, run, types, ended, deliver, store } = await mirror();
  run.onJoin({ position: await session.end() });
  deliver(0, 2);
  await store();
  await run.place();
  expect(types()).toEqual(["run_start", "message_start"]);
  vi.advanceTimersByTime(1_000);
  await run.place();
  expect(types()).toEqual(["run_start", "message_start", "message_end"]);
  // Its steps arrive late.
  deliver(2);
  expect(await ended()).toEqual(["run_start", "message_start", "message_end", "run_end"]);
});

test("a stored message that waits for its step is shown when the link is lost", async () => {
  const { session, run, types, deliver, store } = await mirror();
  run.onJoin({ position: await session.end() });
  deliver(0, 2);
  await store();
  run.onLost();
  await run.place();
  expect(types()).toEqual(["run_start", "message_start", "message_end"]);
});

test("a run that this process takes over while the store is read emits nothing more", async () => {
  const { session, run, types, deliver } = await mirror();
  run.onJoin({ position: await session.end() });
  deliver(0, 2);
  await run.place();
  await session.append([answer]);
  const read = session.read.bind(session);
  session.read = (options) => {
    run.endRun({ outcome: "error", error: "taken over" });
    run.close();
    return read(options);
  };
  deliver(4);
  await run.place();
  expect(types()).toEqual(["run_start", "message_start", "run_end"]);
});

test("the place of a mirror is that after the steps that have arrived", async () => {
  const { session, run, deliver, store } = await mirror();
  run.onJoin({ position: await session.end() });
  await store();
  deliver(0, 5);
  expect(await run.place()).toEqual({ position: await session.end(), run: { runId: "r1", seq: 5 } });
});
