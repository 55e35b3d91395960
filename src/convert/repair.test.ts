import { describe, expect, test } from "vitest";
import { call, closing, repaired, result, says, user } from "../../test/generate/repair-lines.js";
import { repair } from "./repair.js";

describe("what is sound", () => {
  test("comes back byte for byte", async () => {
    const text = `\ufeff${user}\r\n\n  {"role":"assistant" , "content":[],"n":12345678901234567890,"x-odd":1}`;
    expect(await repair(text, { from: "openclaw" })).toEqual({
      output: text,
      from: "openclaw",
      changes: [],
      unplaced: [],
      notes: [],
    });
  });

  test("beside what is not stays as it was spelled", async () => {
    const odd = '{"role":"user", "content":"\\u0041", "n":1.0, "big":12345678901234567890}';
    expect(await repaired([odd, "oops", odd])).toEqual({
      lines: [odd, odd],
      changes: [],
      unplaced: [{ line: 2, text: "oops", why: "expected a value, found o" }],
      notes: [],
    });
  });
});

describe("calls and results", () => {
  test("an unanswered call is closed behind the other results of its message", async () => {
    const asks = says(call("c1"), call("c2"), call("c3"));
    expect(await repaired([asks, result("c3"), result("c1"), user])).toEqual({
      lines: [asks, result("c3"), result("c1"), closing("c2"), user],
      changes: ["/0/content/1 pairing/unanswered"],
      unplaced: [],
      notes: [],
    });
  });

  test("a late pending result moves back, before the result that closes the call", async () => {
    const asks = says(call("c1"));
    const pending = JSON.stringify({ ...JSON.parse(result("c1")), isPending: true });
    expect(await repaired([asks, user, pending])).toEqual({
      lines: [asks, pending, closing("c1"), user],
      changes: ["/0/content/0 pairing/unanswered", "/2 pairing/late-result"],
      unplaced: [],
      notes: [],
    });
  });

  test("a late result moves back, an early one forth", async () => {
    const asks = says(call("c1"), call("c2"));
    expect(await repaired([result("c2"), asks, user, result("c1")])).toEqual({
      lines: [asks, result("c1"), result("c2"), user],
      changes: ["/0 pairing/early-result", "/3 pairing/late-result"],
      unplaced: [],
      notes: [],
    });
  });

  test("a copy of a result is left out, a different one is set aside", async () => {
    const asks = says(call("c1"));
    const { changes, ...rest } = await repaired([asks, result("c1"), result("c1"), result("c1", "no")]);
    expect(changes).toEqual(["/2 pairing/duplicate-result"]);
    expect(rest).toEqual({
      lines: [asks, result("c1")],
      unplaced: [{ line: 4, text: result("c1", "no"), why: "its call already has another result" }],
      notes: [],
    });
  });

  test.each([
    ["it is a failure", result("c1").replace('"isError":false', '"isError":true')],
    ["it has other details", result("c1").replace("}]", '}],"details":{"exitCode":1}')],
  ])("a result with the same text is no copy when %s", async (_, second) => {
    expect(await repaired([says(call("c1")), result("c1"), second])).toEqual({
      lines: [says(call("c1")), result("c1")],
      changes: [],
      unplaced: [{ line: 3, text: second, why: "its call already has another result" }],
      notes: [],
    });
  });

  test("an orphan is set aside", async () => {
    expect(await repaired([user, result("x")])).toEqual({
      lines: [user],
      changes: [],
      unplaced: [{ line: 2, text: result("x"), why: "its call is missing" }],
      notes: [],
    });
  });

  test("empty ids are given to call and result together, by their order", async () => {
    expect(await repaired([says(call(""), call("")), result("", "one"), result("", "two")])).toEqual({
      lines: [says(call("call_1"), call("call_2")), result("call_1", "one"), result("call_2", "two")],
      changes: ["/0/content/0/id pairing/empty-id", "/0/content/1/id pairing/empty-id"],
      unplaced: [],
      notes: [],
    });
  });

  test("a result without an id field gets that of the only open call", async () => {
    const bare = '{"role":"toolResult","content":[]}';
    expect(await repaired([says(call("c1")), bare])).toEqual({
      lines: [says(call("c1")), '{"role":"toolResult","content":[],"toolCallId":"c1"}'],
      changes: ["/1 pairing/empty-id"],
      unplaced: [],
      notes: [],
    });
  });

  test("recurring ids become distinct, and results go with the nearest call before them", async () => {
    const asks = says(call("c1"));
    const lines = [asks, result("c1", "one"), asks, result("c1", "two"), says(call("c1-2")), asks];
    expect(await repaired(lines)).toEqual({
      lines: [
        asks,
        result("c1", "one"),
        says(call("c1-3")),
        result("c1-3", "two"),
        says(call("c1-2")),
        closing("c1-2"),
        says(call("c1-4")),
        closing("c1-4"),
      ],
      changes: [
        "/2/content/0/id pairing/duplicate-id",
        "/4/content/0 pairing/unanswered",
        "/5/content/0 pairing/unanswered",
        "/5/content/0/id pairing/duplicate-id",
      ],
      unplaced: [],
      notes: [],
    });
  });

  test.each([
    ["c", "c-20000"],
    ["", "call_20000"],
  ])("20,000 calls with the same id %j are no matter", async (id, last) => {
    const many = 20_000;
    const results = Array.from({ length: many / 2 }, () => result(id));
    const { lines, changes } = await repaired([says(...Array(many).fill(call(id))), ...results]);
    expect(lines).toHaveLength(1 + many);
    expect(lines.at(-1)).toBe(closing(last));
    expect(changes).toHaveLength(id === "" ? 30_000 : 29_999);
  });

  test("a result takes the name of its call", async () => {
    const { lines, changes } = await repaired([says(call("c1")), result("c1", "ok", "write")]);
    expect(lines).toEqual([says(call("c1")), result("c1")]);
    expect(changes).toEqual(["/1/toolName pairing/name-mismatch"]);
  });

  test("a change says what it was and what it is", async () => {
    const { changes } = await repair([says(call("")), result("")].join("\n"), { from: "openclaw" });
    expect(changes).toEqual([
      {
        at: "/0/content/0/id",
        line: 1,
        column: 56,
        code: "pairing/empty-id",
        what: 'gave the call and its result the id "call_1"',
        before: "",
        after: "call_1",
      },
    ]);
  });
});

describe("for a provider", () => {
  test("ids are rewritten, distinct and short enough", async () => {
    const ids = [`${"x".repeat(50)}1`, `${"x".repeat(50)}2`] as const;
    const lines = [says(call(ids[0]), call(ids[1])), result(ids[0]), result(ids[1])];
    const [first, second] = [`${"x".repeat(31)}-b422a114`, `${"x".repeat(31)}-b722a5cd`];
    expect((await repaired(lines, "openai-chat")).lines).toEqual([
      says(call(first), call(second)),
      result(first),
      result(second),
    ]);
    expect((await repaired(lines, "anthropic")).lines).toEqual(lines);
  });

  test("blank blocks go, and messages with nothing else", async () => {
    const blank = '{"type":"text","text":" "}';
    const asks = says(blank, call("c1"), blank);
    const lines = [user, says(blank), asks, result("c1", " "), '{"role":"user","content":"","timestamp":9}'];
    expect(await repaired(lines, "anthropic")).toEqual({
      lines: [user, says(call("c1")), result("c1").replace('{"type":"text","text":"ok"}', "")],
      changes: [
        "/1 anthropic/empty-message",
        "/1/content/0 anthropic/blank-text",
        "/2/content/0 anthropic/blank-text",
        "/2/content/2 anthropic/blank-text",
        "/3/content/0 anthropic/blank-text",
        "/4 anthropic/blank-text",
      ],
      unplaced: [],
      notes: [],
    });
    expect((await repaired(lines)).changes).toEqual([]);
  });

  test("halves of characters are replaced", async () => {
    const { lines } = await repaired(['{"role":"user","content":"a\\ud83d","timestamp":5}'], "google");
    expect(lines).toEqual(['{"role":"user","content":"a\ufffd","timestamp":5}']);
  });
});

test("an image gets the type that its bytes have", async () => {
  const image = (type: string) =>
    `{"role":"user","content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"${type}"}],"timestamp":5}`;
  const { lines, changes } = await repaired([image("image/jpeg")]);
  expect(lines).toEqual([image("image/png")]);
  expect(changes).toEqual(["/0/content/0/mimeType content/mime-mismatch"]);
});

test("a timestamp in seconds becomes milliseconds, and a number beside it that no double holds is noted", async () => {
  const line = (timestamp: number, n: string) =>
    `{"role":"user","content":"hi","timestamp":${timestamp},"n":${n}}`;
  const lines = [line(1_740_000_000, "1"), line(1_740_000_001, "12345678901234567890")];
  expect(await repaired(lines)).toEqual({
    lines: [line(1_740_000_000_000, "1"), line(1_740_000_001_000, "12345678901234567000")],
    changes: ["/0 openclaw/mended", "/1 openclaw/mended"],
    unplaced: [],
    notes: ["json/inexact-number"],
  });
});

test("a number no double holds is noted when its line must be rewritten", async () => {
  const asks = `${says(call("")).slice(0, -1)},"n":12345678901234567890}`;
  expect((await repaired([asks, result("")])).notes).toEqual(["json/inexact-number"]);
});

test("a repeated key is noted when its line must be rewritten", async () => {
  const asks = `${says(call("")).slice(0, -1)},"role":"assistant"}`;
  expect((await repaired([asks, result("")])).notes).toEqual(["json/duplicate-key"]);
});

describe("messages that say what they follow", () => {
  const on = (line: string, id: string, parentId: string | null) =>
    line.replace(/}$/, `,"id":"${id}","parentId":${JSON.stringify(parentId)}}`);

  test("in a chain still do when one is added and one moved", async () => {
    const lines = [
      on(user, "a", null),
      on(says(call("c1"), call("c2")), "b", "a"),
      on(user, "c", "b"),
      on(result("c2"), "d", "c"),
      on(user, "e", "d"),
    ];
    expect(await repaired(lines)).toEqual({
      lines: [
        on(user, "a", null),
        on(says(call("c1"), call("c2")), "b", "a"),
        on(closing("c1"), "b-result", "b"),
        on(result("c2"), "d", "b-result"),
        on(user, "c", "d"),
        on(user, "e", "c"),
      ],
      changes: [
        "/1/content/0 pairing/unanswered",
        "/2/parentId tree/relinked",
        "/3 pairing/late-result",
        "/3/parentId tree/relinked",
        "/4/parentId tree/relinked",
      ],
      unplaced: [],
      notes: [],
    });
  });

  test("and several are added, have ids that name the message with the calls", async () => {
    const asks = says(call("c1"), call("c2"), call("c3"), call("c4"));
    const lines = [on(asks, "a", null), on(result("c1"), "r", "a"), on(user, "a-result-2", "r")];
    expect((await repaired(lines)).lines).toEqual([
      on(asks, "a", null),
      on(result("c1"), "r", "a"),
      on(closing("c2"), "a-result", "r"),
      on(closing("c3"), "a-result-3", "a-result"),
      on(closing("c4"), "a-result-4", "a-result-3"),
      on(user, "a-result-2", "a-result-4"),
    ]);
  });

  test("and one was lost, follow the message before it", async () => {
    const lines = [on(user, "a", null), '{"role":"user","con', on(user, "c", "b")];
    const { lines: output, changes } = await repaired(lines);
    expect(output).toEqual([on(user, "a", null), on(user, "c", "a")]);
    expect(changes).toEqual(["/2/parentId tree/missing-parent"]);
  });

  test("get a result between a message without a parent and one with a missing parent", async () => {
    const asks = says(call("c1"));
    const unlinked = on(asks, "b", null).replace(',"parentId":null', "");
    const { lines, changes } = await repaired([on(user, "a", null), unlinked, on(user, "c", "x")]);
    expect(lines).toEqual([
      on(user, "a", null),
      unlinked,
      on(closing("c1"), "b-result", "b"),
      on(user, "c", "b-result"),
    ]);
    expect(changes).toEqual(["/1/content/0 pairing/unanswered", "/2/parentId tree/missing-parent"]);
  });

  test("on branches are left alone, and that is said", async () => {
    const lines = [on(user, "a", null), on(user, "b", "a"), on(says(call("c1")), "c", "a")];
    expect(await repaired(lines)).toEqual({ lines, changes: [], unplaced: [], notes: ["repair/branches"] });
    const sound = [lines[0] ?? "", lines[2] ?? "", lines[1] ?? ""];
    expect(await repaired(sound)).toEqual({ lines: sound, changes: [], unplaced: [], notes: [] });
  });
});
