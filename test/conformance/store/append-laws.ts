import { expect, test } from "vitest";
import { newId } from "../../../src/core/ids.js";
import { noteMessage } from "../../../src/core/message/notes.js";
import { all, held, keyed, type StoreMaker, said, texts, user } from "./tested-store.js";

/** Appends of several processes: order, leases, keys, due sessions. */
export function describeAppends(make: StoreMaker): void {
  /** A session, open in two processes. */
  async function shared() {
    const store = await make();
    const [one, other] = [await store.open(), await store.open()];
    const session = await one.log.create({ agent: "main" });
    const begin = await session.end();
    return { store, one, other, session, others: await other.log.open(session.id), begin };
  }

  test("followers see every append of four writers once, in the stored order", async () => {
    const { store, session, begin } = await shared();
    const writers = await Promise.all(
      [1, 2, 3, 4].map(async () => (await store.open()).log.open(session.id)),
    );
    const stop = new AbortController();
    const follow = async () => {
      const seen: unknown[] = [];
      for await (const entry of session.tail({ from: begin, signal: stop.signal })) {
        if (seen.push(said(entry)) === 100) break;
      }
      return seen;
    };
    const following = Promise.all([follow(), follow()]);
    await Promise.all(
      writers.map(async (writer, number) => {
        for (let count = 0; count < 25; count++) await writer.append([user(`${number}-${count}`)]);
      }),
    );
    const [first, second] = await following;
    const stored = await texts(session, begin);
    expect(stored).toHaveLength(100);
    expect([first, second]).toEqual([stored, stored]);
    for (const number of [0, 1, 2, 3]) {
      const own = stored.filter((text) => String(text).startsWith(`${number}-`));
      expect(own).toEqual(Array.from({ length: 25 }, (_, count) => `${number}-${count}`));
    }
  });

  test("of two processes that expect the same end, one appends", async () => {
    const { session, others, begin } = await shared();
    const results = await Promise.allSettled([
      session.append([user("a")], { expect: begin }),
      others.append([user("b")], { expect: begin }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "log/moved", details: { end: await session.end() } },
    });
    expect(await texts(session, begin)).toHaveLength(1);
  });

  test("a message of 5 MB is one entry", async () => {
    const { session, others, begin } = await shared();
    const content = "x".repeat(5_000_000);
    await session.append([user(content), user("after it")]);
    expect((await texts(others, begin)).map((text) => String(text).length)).toEqual([5_000_000, 8]);
    expect((await others.last(2)).map((entry) => String(said(entry)).length)).toEqual([5_000_000, 8]);
  });

  test("a lease has one holder, and restricts only appends under it", async () => {
    const { one, other, session, others, begin } = await shared();
    const lease = held(await one.log.lease(session.id));
    expect(await one.log.lease(session.id)).toBeUndefined();
    expect(await other.log.lease(session.id)).toBeUndefined();
    await others.append([user("a")]);
    await session.append([user("b")], { under: lease });
    await lease.release();
    const second = held(await other.log.lease(session.id));
    await lease.release();
    expect(await one.log.lease(session.id)).toBeUndefined();
    expect(second.fence).toBeGreaterThan(lease.fence);
    await second.release();
    expect(await texts(session, begin)).toEqual(["a", "b"]);
  });

  test("a process that waits for a lease gets it when it is released, or stops waiting", async () => {
    const { one, other, session } = await shared();
    const lease = held(await one.log.lease(session.id));
    const stop = new AbortController();
    const stopped = other.log.waitForLease(session.id, stop.signal);
    const waiting = other.log.waitForLease(session.id, new AbortController().signal);
    stop.abort(new RangeError("enough"));
    await expect(stopped).rejects.toThrow("enough");
    await lease.release();
    await (await waiting).release();
    expect(lease.lost.aborted).toBe(false);
  });

  test("the lease of a dead process is free, and its successor has a larger fence", async () => {
    const { store, one, other, session } = await shared();
    const before = held(await other.log.lease(session.id));
    await before.release();
    await store.leaseAndDie(session.id);
    const lease = await one.log.waitForLease(session.id, AbortSignal.timeout(10_000));
    expect(lease.fence).toBeGreaterThan(before.fence);
    await lease.release();
  });

  test("a released lease admits no append, and the session stays as it was", async () => {
    const { one, session, begin } = await shared();
    const lease = held(await one.log.lease(session.id));
    await lease.release();
    const next = held(await one.log.lease(session.id));
    await expect(session.append([user("late")], { under: lease })).rejects.toMatchObject({
      code: "log/fenced",
    });
    await expect(session.append([], { under: lease, due: true })).rejects.toMatchObject({
      code: "log/fenced",
    });
    expect(await session.end()).toBe(begin);
    expect(await one.due.has(session.id)).toBe(false);
    await session.append([user("b")], { under: next });
    await next.release();
  });

  test("a lease of one session admits no append to another", async () => {
    const { one, session } = await shared();
    const another = await one.log.create({ agent: "main" });
    const lease = held(await one.log.lease(another.id));
    await expect(session.append([user("a")], { under: lease })).rejects.toMatchObject({
      code: "log/fenced",
    });
    await lease.release();
  });

  test("a holder that did not renew its lease in time is told, and refused", async () => {
    const { store, one, other, session, begin } = await shared();
    const lease = held(await one.log.lease(session.id));
    const mark = one.mark(session.id, lease);
    await mark.open();
    await store.expire(session.id);
    const next = await other.log.waitForLease(session.id, AbortSignal.timeout(10_000));
    const refused = { code: "log/fenced" };
    await expect(session.append([user("late")], { under: lease })).rejects.toMatchObject(refused);
    await expect(session.clearDue(lease, begin)).rejects.toMatchObject(refused);
    await expect(mark.append("late")).rejects.toMatchObject(refused);
    await expect(mark.remove()).rejects.toMatchObject(refused);
    expect(lease.lost.aborted).toBe(true);
    expect(lease.lost.reason).toMatchObject(refused);
    await mark.close();
    await lease.release();
    expect(await one.log.lease(session.id)).toBeUndefined();
    expect(await session.end()).toBe(begin);
    await next.release();
  });

  test("a message is stored once for its key, by whichever process", async () => {
    const { session, others, begin } = await shared();
    const results = await Promise.all([
      session.append([keyed("a", "k1")], { once: true }),
      others.append([keyed("b", "k1")], { once: true }),
      session.append([keyed("c", "k1")], { once: true }),
      others.append([keyed("d", "k2")], { once: true }),
    ]);
    const stored = await all(session.read({ from: begin }));
    expect(stored).toHaveLength(2);
    const first = stored.find((entry) => said(entry) !== "d");
    const place = { position: first?.position, next: first?.next };
    const told = results.slice(0, 3).map(({ before, messages }) => ({ before, stored: messages.length }));
    expect(told.filter(({ before }) => before === undefined)).toEqual([{ before: undefined, stored: 1 }]);
    expect(told.filter(({ before }) => before !== undefined)).toEqual([
      { before: place, stored: 0 },
      { before: place, stored: 0 },
    ]);
  });

  test("of appends that arrive together, only the one with a known key is not stored", async () => {
    const { session } = await shared();
    const { position, next } = await session.append([keyed("a", "k1")]);
    const appended = await Promise.all([
      session.append([keyed("b", "k2")], { once: true }),
      session.append([keyed("again", "k1")], { once: true }),
      session.append([keyed("c", "k3"), user("d")], { once: true }),
      session.append([user("e")]),
    ]);
    expect(appended.map(({ messages }) => messages.length)).toEqual([1, 0, 2, 1]);
    expect(appended.map(({ before }) => before)).toEqual([
      undefined,
      { position, next },
      undefined,
      undefined,
    ]);
    expect(await texts(session)).toEqual(["session", "a", "b", "c", "d", "e"]);
    expect(appended[3]?.next).toBe(await session.end());
  });

  test("a key counts in a backlog note too, and whether or not it was stored with `once`", async () => {
    const { session, others, begin } = await shared();
    const message = { ...keyed("a", "k1"), id: newId() };
    if (message.role !== "user") throw new Error("not a message of a user");
    const { position, next } = await session.append([
      noteMessage({ type: "dragoman/inbox", data: { message } }, 1),
    ]);
    const again = await others.append([keyed("b", "k1")], { once: true, expect: begin });
    expect(again).toMatchObject({ messages: [], before: { position, next } });
    await session.append([keyed("the transcript", "k1")]);
    expect(await others.append([keyed("c", "k1")], { once: true })).toMatchObject({
      before: { position, next },
    });
  });

  test("a session is due from an append on, until its holder has read everything", async () => {
    const { one, other, session, others } = await shared();
    expect(await other.due.list()).toEqual([]);
    await others.append([user("a")], { due: true });
    expect([await one.due.list(), await one.due.has(session.id)]).toEqual([[session.id], true]);
    const lease = held(await one.log.lease(session.id));
    const end = await session.end();
    await others.append([user("b")], { due: true });
    expect(await session.clearDue(lease, end)).toBe(false);
    expect(await one.due.has(session.id)).toBe(true);
    expect(await session.clearDue(lease, await session.end())).toBe(true);
    expect([await other.due.list(), await other.due.has(session.id)]).toEqual([[], false]);
    await others.append([user("c")], { due: true });
    expect(await one.due.has(session.id)).toBe(true);
    await lease.release();
    await expect(session.clearDue(lease, await session.end())).rejects.toMatchObject({ code: "log/fenced" });
    await one.due.forget(session.id);
    expect(await one.due.list()).toEqual([]);
  });

  test("a session that is marked while its holder clears it is either read or still due", async () => {
    const { one, session, others } = await shared();
    const lease = held(await one.log.lease(session.id));
    for (let round = 0; round < 30; round++) {
      const end = await session.end();
      const [isCleared] = await Promise.all([
        session.clearDue(lease, end),
        others.append([user(`${round}`)], { due: true }),
      ]);
      expect({ round, isCleared, isDue: await one.due.has(session.id) }).toEqual({
        round,
        isCleared,
        isDue: true,
      });
    }
    await lease.release();
  });

  test("due sessions are followed: those there are, then those that become due or free", async () => {
    const { one, other, session } = await shared();
    await session.append([user("a")], { due: true });
    const leased = await one.log.create({ agent: "main" });
    await leased.append([user("b")], { due: true });
    const lease = held(await one.log.lease(leased.id));
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const id of one.due.follow(stop.signal)) {
      if (seen.includes(id)) continue;
      seen.push(id);
      if (id === session.id) {
        const later = await other.log.create({ agent: "main" });
        await later.append([user("c")], { due: true });
      } else if (id !== leased.id) {
        await lease.release();
      } else stop.abort();
    }
    expect(seen).toHaveLength(3);
    expect([seen[0], seen[2]]).toEqual([session.id, leased.id]);
  });

  test("a run's mark is left to the next holder with its text, and keeps the session due", async () => {
    const { store, one, other, session } = await shared();
    const lease = held(await one.log.lease(session.id));
    const mark = one.mark(session.id, lease);
    expect([await mark.read(), await one.due.list()]).toEqual([undefined, []]);
    await mark.open();
    await mark.append("first ");
    await mark.clear();
    await mark.append("one ");
    await mark.append("two\n");
    await mark.close();
    await store.expire(session.id);
    const next = await other.log.waitForLease(session.id, AbortSignal.timeout(10_000));
    expect(await other.due.list()).toEqual([session.id]);
    const left = other.mark(session.id, next);
    expect(await left.read()).toBe("one two\n");
    await left.open();
    expect(await left.read()).toBe("");
    await left.remove();
    expect([await left.read(), await other.due.list()]).toEqual([undefined, []]);
    await next.release();
  });
}
