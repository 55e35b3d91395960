import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  create,
  eachTestHasAHome,
  follow,
  homeOfTest,
  ID,
  OTHER,
  rested,
  say,
  serve,
} from "../../fakes/timbal-server.js";

eachTestHasAHome();

describe("the stream of a thread", () => {
  test("may be opened before the thread is there, and brings everything from then on", async () => {
    const server = await serve();
    const workspace = join(homeOfTest(), "agents", "main", "workspace");
    await mkdir(workspace, { recursive: true });
    await writeFile(join(workspace, "x"), "sunny");
    const client = await follow(server);
    client.send({ c: "sync" });
    await create(server);
    const content = 'think: hm\nsay: hello you\ncall: read {"file_path":"x"}\n---\nsay: done';
    const { body } = await say(server, content);
    await rested(client);
    const kinds = client.frames.flatMap((frame) => {
      const { i, m, a, v, c } = frame;
      if (c === "cursor") return [];
      if (m !== undefined) return [`start ${JSON.stringify(m)}`];
      if (a !== undefined) return [`append ${a}`];
      if (v === null) return ["delete"];
      return [`set ${JSON.stringify(v)}${i === body["messageId"] ? " as told" : ""}`];
    });
    const call = '"toolCallId":"call_1_0","name":"read"';
    expect(kinds).toEqual([
      `set {"type":"user","content":${JSON.stringify(content)}} as told`,
      'set {"type":"status","state":"thinking","sender":"main"}',
      'start {"type":"thinking","sender":"main"}',
      "append hm",
      'set {"type":"thinking","content":"hm","sender":"main"}',
      'start {"type":"agent","sender":"main"}',
      "append hello",
      "append  you",
      'set {"type":"agent","content":"hello you","sender":"main"}',
      `start {"type":"tool_call",${call},"sender":"main"}`,
      'append {"file_path":"x"}',
      `set {"type":"tool_call",${call},"arguments":{"file_path":"x"},"sender":"main"}`,
      'set {"type":"status","state":"working","detail":"read","sender":"main"}',
      `set {"type":"tool_result",${call},"status":"success","output":"sunny"}`,
      'set {"type":"status","state":"thinking","sender":"main"}',
      'start {"type":"agent","sender":"main"}',
      "append done",
      'set {"type":"agent","content":"done","sender":"main"}',
      "delete",
    ]);
    for (const { i, t, v } of client.frames.filter(({ v }) => v !== undefined && v !== null)) {
      expect(i).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      expect([t, v]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), v]);
    }
    expect(client.receiver.ignored).toEqual(
      new Map([["its control type is unknown", client.cursors.length]]),
    );
  });

  test("waits 30 seconds for the thread", async () => {
    const scheduled: { ms: number; callback: () => void; cancelled: boolean }[] = [];
    const server = await serve(undefined, {
      schedule: (ms, callback) => {
        const one = { ms, callback, cancelled: false };
        scheduled.push(one);
        return () => {
          one.cancelled = true;
        };
      },
    });
    const [early, lost] = [await follow(server), await follow(server, OTHER)];
    await create(server);
    expect(scheduled.map(({ ms, cancelled }) => [ms, cancelled])).toEqual([
      [30_000, true],
      [30_000, false],
    ]);
    scheduled[1]?.callback();
    expect(await lost.closed).toEqual({ code: 4004, reason: "the thread does not exist" });
    await say(server, "say: hi");
    await rested(early);
  });

  test("a UUID is needed here too", async () => {
    expect((await (await follow(await serve(), "x")).closed).code).toBe(1008);
  });

  test.each([
    ["not json", 1003],
    ["[1]", 1003],
    ['{"c":"sync","since":"yesterday"}', 1003],
    ['{"c":"sync","since":7}', 1003],
    ['{"c":"sync","after":7}', 1003],
    ['{"c":"sync","after":"x"}', 1003],
    ['{"c":"sync","s":7}', 1003],
  ])("the frame %s closes it", async (frame, code) => {
    const server = await serve();
    await create(server);
    const client = await follow(server);
    client.send(frame);
    expect((await client.closed).code).toBe(code);
  });

  test("frames that nobody knows are ignored, and several may come at once", async () => {
    const server = await serve();
    await create(server);
    const client = await follow(server);
    client.send('{"c":"dance"}\n{"x":1}\n{"i":"a","m":{}}\n{"c":"unsub","s":"x"}\n\n{"request":"sync"}');
    await client.until(({ cursors }) => cursors.length === 1);
    client.send({ c: "sync", s: ID });
    await client.until(({ frames }) => frames.length === 2);
    expect(client.frames[1]).toEqual({
      s: ID,
      c: "error",
      code: "invalid_stream",
      message: "this connection has only one stream, so leave out s; use /v1/stream for several threads",
    });
  });
});

describe("sync", () => {
  test("gives a set frame per message, and both forms of asking the same", async () => {
    const server = await serve();
    await create(server);
    const first = await follow(server);
    await say(server, "say: one");
    await rested(first);
    const [late, older] = [await follow(server), await follow(server)];
    await late.sync();
    older.send('{"request":"sync"}');
    await older.until(({ cursors }) => cursors.length === 1);
    expect(late.frames.map(({ t: _, i: __, ...rest }) => rest)).toEqual([
      { v: { type: "user", content: "say: one" } },
      { v: { type: "agent", content: "one", sender: "main" } },
      { c: "cursor", after: expect.stringMatching(/^\d+$/) },
    ]);
    expect(older.frames).toEqual(late.frames);
    expect(late.transcript()).toEqual(first.transcript());
    expect(first.cursors.at(-1)).toBe(late.cursors[0]);
  });

  test("since gives what is of that time or later; after gives exactly what came after", async () => {
    const server = await serve();
    await create(server);
    const first = await follow(server);
    await say(server, "say: one");
    await rested(first);
    const after = first.cursors.at(-1);
    const [, { t: since } = {}] = first.receiver.messages();
    await say(server, "say: two");
    await rested(first, 2);
    const client = await follow(server);
    await client.sync({ after });
    expect(client.values()).toEqual([
      { type: "user", content: "say: two" },
      { type: "agent", content: "two", sender: "main" },
    ]);
    const again = await follow(server);
    await again.sync({ since });
    expect(again.transcript()).toEqual(
      first.transcript().filter((message) => Array.isArray(message) && message[1] >= `${since}`),
    );
    const everything = await follow(server);
    await everything.sync({ since: "1999-01-01T00:00:00.000Z" });
    expect(everything.transcript()).toEqual(first.transcript());
    const before = everything.frames.length;
    await everything.sync({ since: "2999-01-01T00:00:00.000Z" });
    expect(everything.frames.slice(before)).toEqual([
      { i: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", v: null },
      { c: "cursor", after: everything.cursors[0] },
    ]);
  });

  test("a cursor that is none is told, and everything is given", async () => {
    const server = await serve();
    await create(server);
    const first = await follow(server);
    await say(server, "say: one");
    await rested(first);
    const client = await follow(server);
    await client.sync({ after: "7" });
    expect(client.frames[0]).toMatchObject({ c: "error", code: "invalid_cursor" });
    expect(client.transcript()).toEqual(first.transcript());
  });

  test("asked for again it does not double what comes", async () => {
    const server = await serve();
    await create(server);
    const client = await follow(server);
    await client.sync();
    await client.sync();
    await say(server, "say: one two");
    await rested(client);
    expect(client.frames.filter(({ a }) => a !== undefined).map(({ a }) => a)).toEqual(["one", " two"]);
  });

  test("goes on where it was after a restart of the server, by time and by cursor", async () => {
    const before = await serve();
    await create(before);
    const client = await follow(before);
    await say(before, "think: hm\nsay: one");
    await rested(client);
    const seen = client.transcript();
    await before.stop();
    const after = await serve();
    const [byCursor, byTime, fresh] = [await follow(after), await follow(after), await follow(after)];
    await byCursor.sync({ after: client.cursors.at(-1) });
    expect(byCursor.values()).toEqual([]);
    await byTime.sync({ since: client.receiver.messages().at(-1)?.t });
    await fresh.sync();
    expect(fresh.transcript()).toEqual(seen);
    await say(after, "say: two");
    await rested(fresh);
    // A client that comes back is also told that no run is active.
    for (const one of [byCursor, byTime]) await rested(one, 2);
    expect(byCursor.transcript()).toEqual(fresh.transcript().slice(3));
    expect(fresh.values()).toEqual([
      { type: "user", content: "think: hm\nsay: one" },
      { type: "thinking", content: "hm", sender: "main" },
      { type: "agent", content: "one", sender: "main" },
      { type: "user", content: "say: two" },
      { type: "agent", content: "two", sender: "main" },
    ]);
  });
});
