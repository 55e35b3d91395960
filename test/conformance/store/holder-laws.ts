import { expect, test } from "vitest";
import { held, type StoreMaker, type TestedStore } from "./tested-store.js";

/** Which process holds a lease. Only for stores that several processes can use. */
export function describeHolders(make: StoreMaker): void {
  const holdersOf = ({ holders }: TestedStore) => {
    if (holders === undefined) throw new Error("the store does not name holders");
    return holders;
  };

  test("the holder of a session's lease is known to every process, until it is released", async () => {
    const shared = await make();
    const [one, other] = [await shared.open(), await shared.open()];
    const me = await holdersOf(one).me();
    expect(await holdersOf(other).me()).not.toBe(me);
    const { id } = await one.log.create({ agent: "main" });
    expect(await holdersOf(other).ofSession(id)).toBeUndefined();
    const lease = held(await one.log.lease(id));
    expect(await holdersOf(one).ofSession(id)).toBe(me);
    expect(await holdersOf(other).ofSession(id)).toBe(me);
    await lease.release();
    expect(await holdersOf(other).ofSession(id)).toBeUndefined();
  });

  test("so is the holder of a named lease", async () => {
    const shared = await make();
    const [one, other] = [await shared.open(), await shared.open()];
    const lease = held(await one.lease("channels/telegram/main"));
    expect(await holdersOf(other).of("channels/telegram/main")).toBe(await holdersOf(one).me());
    expect(await holdersOf(other).of("channels/telegram/second")).toBeUndefined();
    await lease.release();
    expect(await holdersOf(other).of("channels/telegram/main")).toBeUndefined();
  });

  test("a process that was killed holds nothing for long", async () => {
    const shared = await make();
    const store = await shared.open();
    const { id } = await store.log.create({ agent: "main" });
    await shared.leaseAndDie(id);
    const lease = await store.log.waitForLease(id, AbortSignal.timeout(20_000));
    expect(await holdersOf(store).ofSession(id)).toBe(await holdersOf(store).me());
    await lease.release();
    expect(await holdersOf(store).ofSession(id)).toBeUndefined();
  });
}
