import { expect, onTestFinished, test, vi } from "vitest";
import { MemoryStore } from "../../log/memory/memory-store.js";
import { LiveState } from "../live-state.js";
import type { ConversationEvent } from "../types.js";
import { Elsewhere } from "./elsewhere.js";
import type { Owner, OwnerFollower } from "./owner.js";

const LOOK_MS = 5_000;

/** A session whose run on another gateway is followed over a link that stays up. */
async function following() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const session = await new MemoryStore().log.create({ agent: "main" });
  const followers: { owner: string; follower: OwnerFollower }[] = [];
  const owner = (name: string): Owner => ({
    name,
    follow: (_, follower) => {
      followers.push({ owner: name, follower });
      return () => undefined;
    },
    deliver: async () => undefined,
    abort: async () => false,
    answer: async () => false,
  });
  const emitted: ConversationEvent[] = [];
  let current: Owner | undefined = owner("one");
  const elsewhere = new Elsewhere({
    owners: { me: "here", ownerOf: async () => current },
    pinned: () => undefined,
    session,
    live: new LiveState(),
    emit: (event) => void emitted.push(event),
    onFailure: (error) => expect.fail(String(error)),
    runsHere: () => false,
    now: () => 1,
  });
  onTestFinished(elsewhere.watch());
  await vi.waitFor(() => expect(followers.length).toBe(1));
  followers[0]?.follower.onJoin({ position: await session.end(), run: { runId: "r1", seq: 3 } });
  await elsewhere.located();
  expect(elsewhere.run).toMatchObject({ id: "r1", seq: 3 });
  const look = async (next: string | undefined) => {
    current = next === undefined ? undefined : owner(next);
    await vi.advanceTimersByTimeAsync(LOOK_MS);
  };
  return { elsewhere, emitted, followers, look };
}

test("a run on a machine that is gone ends, although its link stays up", async () => {
  const { elsewhere, emitted, look } = await following();
  await look("one");
  expect(elsewhere.run?.id).toBe("r1");
  // It may have ended just now, and its end is on its way.
  await look(undefined);
  expect(elsewhere.run?.id).toBe("r1");
  await look(undefined);
  expect(elsewhere.run).toBeUndefined();
  expect(emitted.at(-1)).toMatchObject({ type: "run_end", runId: "r1", seq: 4, outcome: "error" });
});

test("a session that a third gateway has taken over is followed there", async () => {
  const { elsewhere, followers, look } = await following();
  await look("two");
  expect(elsewhere.run).toBeUndefined();
  expect(followers.map(({ owner }) => owner)).toEqual(["one", "two"]);
});
