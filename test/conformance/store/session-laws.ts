import { expect, test } from "vitest";
import type { AgentMessage } from "../../../src/core/types.js";
import { closeOpenCalls } from "../../../src/log/recover.js";
import type { Log, SessionLog } from "../../../src/log/types.js";
import { all, type StoreMaker, said, texts, user } from "./tested-store.js";

const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function answer(...calls: string[]): AgentMessage {
  return {
    role: "assistant",
    content: [
      { type: "text", text: "Let me see." },
      ...calls.map((id) => ({ type: "toolCall" as const, id, name: `tool-${id}`, arguments: {} })),
    ],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "m",
    usage,
    stopReason: "toolUse",
    timestamp: 2,
  };
}

function result(toolCallId: string): AgentMessage {
  return { role: "toolResult", toolCallId, toolName: "t", content: [], isError: false, timestamp: 3 };
}

/** Sessions: appending, reading, following, keys, lists. */
export function describeSessions(make: StoreMaker): void {
  const openLog = async (): Promise<Log> => (await (await make()).open()).log;

  test("a session begins with who it is", async () => {
    const log = await openLog();
    const parent = { session: "01ARZ3NDEKTSV4RRFFQ69G5FAV", message: "m1" };
    const session = await log.create({ agent: "main", key: "agent:main:main", title: "Plans", parent });
    const header = {
      role: "session",
      id: session.id,
      agent: "main",
      key: "agent:main:main",
      title: "Plans",
      parent,
      timestamp: session.header.timestamp,
    };
    expect(session.header).toEqual(header);
    expect(session.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(await all(session.read())).toEqual([{ message: header, position: 0, next: await session.end() }]);
    await session.close();
  });

  test("what is appended is read in order, each with an id", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    const begin = await session.end();
    const first = await session.append([user("a"), { ...user("b"), id: "mine" }]);
    const second = await session.append([user("c\n\u2028ü")]);
    expect(first.position).toBe(begin);
    expect(second.position).toBe(first.next);
    expect(second.next).toBe(await session.end());
    const entries = await all(session.read({ from: begin }));
    expect(entries.map(({ message }) => message)).toEqual([...first.messages, ...second.messages]);
    expect(entries.map(said)).toEqual(["a", "b", "c\n\u2028ü"]);
    expect(entries.map(({ message }) => message.id)).toEqual([
      expect.stringMatching(/^[0-9A-Z]{26}$/),
      "mine",
      expect.stringMatching(/^[0-9A-Z]{26}$/),
    ]);
    await session.close();
  });

  test("every position that was given out can be read from", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    await session.append(["a", "b", "c"].map(user));
    for (const { position, next, message } of await all(session.read())) {
      const [found] = await all(session.read({ from: position }));
      expect(found).toEqual({ message, position, next });
    }
    expect(await texts(session, await session.end())).toEqual([]);
    await session.close();
  });

  test.each([-1, 0.5, 1_000_000, Number.NaN])("%d is no position", async (position) => {
    const session = await (await openLog()).create({ agent: "main" });
    const refused = { code: "log/bad-position" };
    await expect(all(session.read({ from: position }))).rejects.toMatchObject(refused);
    await expect(session.last(1, { before: position })).rejects.toMatchObject(refused);
    const { signal } = new AbortController();
    await expect(all(session.tail({ from: position, signal }))).rejects.toMatchObject(refused);
    await session.close();
  });

  test("many appends at once are all stored, those of one caller in order", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    const begin = await session.end();
    const appended = await Promise.all(
      Array.from({ length: 100 }, (_, index) => session.append([user(`${index}`), user(`${index} again`)])),
    );
    const expected = Array.from({ length: 100 }, (_, index) => [`${index}`, `${index} again`]).flat();
    expect(await texts(session, begin)).toEqual(expected);
    expect(appended.every(({ position }, index) => position === (appended[index - 1]?.next ?? begin))).toBe(
      true,
    );
    await session.close();
  });

  test("nothing is stored of an append with one bad message", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    const begin = await session.end();
    const bad = { role: "user" as const, content: "b", timestamp: Number.NaN };
    await expect(session.append([user("a"), bad])).rejects.toMatchObject({
      code: "model/invalid",
      at: "/messages/1/timestamp",
    });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const endless: AgentMessage = { role: "custom", customType: "x", data: cycle, timestamp: 1 };
    await expect(session.append([endless])).rejects.toMatchObject({ code: "model/invalid" });
    expect(await session.end()).toBe(begin);
    await session.append([user("c")]);
    expect(await texts(session, begin)).toEqual(["c"]);
    await session.close();
  });

  test("what a caller changes afterwards changes nothing", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    const begin = await session.end();
    const message = { role: "user" as const, content: "before", timestamp: 1 };
    const { messages } = await session.append([message]);
    message.content = "after";
    for (const stored of messages) stored.timestamp = 99;
    expect((await all(session.read({ from: begin }))).map(({ message: { timestamp } }) => timestamp)).toEqual(
      [1],
    );
    expect(await texts(session, begin)).toEqual(["before"]);
    await session.close();
  });

  test("an append that expects another end is refused, and says where the end is", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    const begin = await session.end();
    const results = await Promise.allSettled(
      ["a", "b"].map((text) => session.append([user(text)], { expect: begin })),
    );
    const end = await session.end();
    expect(results).toMatchObject([
      { status: "fulfilled", value: { position: begin, next: end } },
      { status: "rejected", reason: { code: "log/moved", details: { end } } },
    ]);
    await session.append([user("c")], { expect: end });
    expect(await texts(session, begin)).toEqual(["a", "c"]);
    await session.close();
  });

  test("an empty append stores nothing, and still expects", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    const end = await session.end();
    expect(await session.append([])).toEqual({ messages: [], position: end, next: end });
    await expect(session.append([], { expect: 0 })).rejects.toMatchObject({ code: "log/moved" });
    await session.close();
  });

  test("the last messages, and those before them", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    await session.append(["a", "b", "c", "d"].map(user));
    const end = await session.last(2);
    expect(end.map(said)).toEqual(["c", "d"]);
    const before = await session.last(2, { before: end[0]?.position ?? 0 });
    expect(before.map(said)).toEqual(["a", "b"]);
    expect((await session.last(9)).map(said)).toEqual(["session", "a", "b", "c", "d"]);
    expect(await session.last(9)).toEqual(await all(session.read()));
    expect(await session.last(0)).toEqual([]);
    expect(await session.last(5, { before: 0 })).toEqual([]);
    await session.close();
  });

  test("a tail goes on with what is appended, until it is aborted", async () => {
    const log = await openLog();
    const session = await log.create({ agent: "main" });
    const other = await log.open(session.id);
    const from = await session.end();
    await session.append([user("a")]);
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const entry of session.tail({ from, signal: stop.signal })) {
      seen.push(said(entry));
      if (seen.length === 1) await session.append([user("b"), user("c")]);
      if (seen.length === 3) await other.append([user("d")]);
      if (seen.length === 4) stop.abort();
    }
    expect(seen).toEqual(["a", "b", "c", "d"]);
    const aborted = await all(session.tail({ from, signal: stop.signal }));
    expect(aborted).toEqual([]);
    await session.close();
    await other.close();
  });

  test("a tail that waits ends when it is aborted", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    const stop = new AbortController();
    const tail = session.tail({ from: await session.end(), signal: stop.signal })[Symbol.asyncIterator]();
    const next = tail.next();
    await session.append([user("a")]);
    expect((await next).value).toMatchObject({ message: { content: "a" } });
    const waiting = tail.next();
    stop.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await session.close();
  });

  test("a key leads to its session, however it is spelt", async () => {
    const log = await openLog();
    expect(await log.find("agent:main:telegram:dm:7")).toBeUndefined();
    const session = await log.openOrCreate({ agent: "main", key: "agent:main:telegram:direct:7" });
    const again = await log.openOrCreate({ agent: "main", key: "agent:main:telegram:dm:7" });
    expect(again.id).toBe(session.id);
    expect(await log.find("agent:main:telegram:direct:7")).toBe(session.id);
    expect(await log.find("agent:main:telegram:dm:8")).toBeUndefined();
    const fresh = await log.create({ agent: "main", key: "agent:main:telegram:dm:7" });
    expect(await log.find("agent:main:telegram:dm:7")).toBe(fresh.id);
    expect(fresh.id).not.toBe(session.id);
    for (const open of [session, again, fresh]) await open.close();
  });

  test("those who ask for a key at the same time get one session", async () => {
    const log = await openLog();
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () => log.openOrCreate({ agent: "main", key: "agent:main:main" })),
    );
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(1);
    expect((await all(log.list())).map(({ id }) => id)).toEqual([sessions[0]?.id]);
    for (const session of sessions) await session.close();
  });

  test("a session that is being filled is not there, and its key leads where it led", async () => {
    const log = await openLog();
    const key = "agent:main:main";
    const old = await log.create({ agent: "main", key });
    const during: unknown[] = [];
    const filled = await log.create({ agent: "main", key }, async (target) => {
      await target.append([user("a")]);
      during.push(
        (await all(log.list())).map(({ id }) => id),
        await log.find(key),
      );
      during.push(await log.open(target.id).catch(({ code }) => code));
    });
    expect(during).toEqual([[old.id], old.id, "log/no-session"]);
    expect(await log.find(key)).toBe(filled.id);
    expect((await all(filled.read())).map(({ message }) => message.role)).toEqual(["session", "user"]);
    await filled.append([user("b")]);
    for (const session of [old, filled]) await session.close();
  });

  test("a session whose filling fails is never there", async () => {
    const log = await openLog();
    const session = { agent: "main", key: "agent:main:main" };
    const failing = async (target: SessionLog) => {
      await target.append([user("a")]);
      throw new RangeError("enough");
    };
    await expect(log.create(session, failing)).rejects.toThrow("enough");
    await expect(log.openOrCreate(session, failing)).rejects.toThrow("enough");
    expect(await all(log.list())).toEqual([]);
    expect(await log.find(session.key)).toBeUndefined();
    const made = await log.openOrCreate(session, (target) =>
      target.append([user("b")]).then(() => undefined),
    );
    expect(await log.find(session.key)).toBe(made.id);
    await made.close();
  });

  test.each([
    [{ agent: "main", key: "main" }, "log/bad-key"],
    [{ agent: "main", key: "agent:other:main" }, "log/bad-key"],
    [{ agent: "../other" }, "log/bad-agent"],
  ])("%j is refused with %s", async (session, code) => {
    const log = await openLog();
    await expect(log.create(session)).rejects.toMatchObject({ code });
    expect(await all(log.list())).toEqual([]);
  });

  test.each(["01ARZ3NDEKTSV4RRFFQ69G5FAV", "", "../x", "a/b", "."])("there is no session %j", async (id) => {
    const log = await openLog();
    await (await log.create({ agent: "main" })).close();
    await expect(log.open(id)).rejects.toMatchObject({ code: "log/no-session" });
    await expect(log.lease(id)).rejects.toMatchObject({ code: "log/no-session" });
  });

  test("the sessions there are", async () => {
    const log = await openLog();
    const made = [await log.create({ agent: "a" }), await log.create({ agent: "b" })];
    await made[0]?.append([user("x")]);
    const listed = await all(log.list());
    expect(listed.map(({ id, agent, foreign }) => ({ id, agent, foreign }))).toEqual([
      { id: made[0]?.id, agent: "a", foreign: false },
      { id: made[1]?.id, agent: "b", foreign: false },
    ]);
    expect((listed[0]?.size ?? 0) > (listed[1]?.size ?? 0)).toBe(true);
    for (const session of made) await session.close();
  });

  test("a session that was closed takes nothing more; others that have it open go on", async () => {
    const log = await openLog();
    const session = await log.create({ agent: "main" });
    const other = await log.open(session.id);
    await session.close();
    await session.close();
    await expect(session.append([user("a")])).rejects.toMatchObject({ code: "log/closed" });
    await other.append([user("b")]);
    expect((await other.last(1)).map(said)).toEqual(["b"]);
    await other.close();
  });

  test("open calls of the last answer are closed, the others left alone", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    await session.append([user("x"), answer("old"), answer("a", "b", "c"), result("b"), user("y")]);
    const closing = await closeOpenCalls(session, () => 77);
    const results = ["a", "c"].map((id) => ({
      role: "toolResult",
      id: expect.any(String),
      toolCallId: id,
      toolName: `tool-${id}`,
      content: [
        {
          type: "text",
          text: "The process stopped before the tool finished. Whether it had any effect is unknown.",
        },
      ],
      details: { reason: "interrupted" },
      isError: true,
      timestamp: 77,
    }));
    expect(closing).toEqual(results);
    expect((await session.last(2)).map(({ message }) => message)).toEqual(results);
    expect(await closeOpenCalls(session)).toEqual([]);
    await session.close();
  });

  test("calls far back are found, and a session without answers has none", async () => {
    const session = await (await openLog()).create({ agent: "main" });
    expect(await closeOpenCalls(session)).toEqual([]);
    await session.append([answer("a"), ...Array.from({ length: 100 }, (_, index) => user(`${index}`))]);
    expect((await closeOpenCalls(session)).map(({ toolCallId }) => toolCallId)).toEqual(["a"]);
    await session.close();
  });
}
