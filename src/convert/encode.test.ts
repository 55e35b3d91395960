import { describe, expect, test } from "vitest";
import type { Dialect, JsonRecord } from "../core/dialect.js";
import type { AgentMessage, Loss } from "../core/types.js";
import { MessageDecoder } from "./decode.js";
import { MessageEncoder } from "./encode.js";

/**
 * A dialect that can say little: `{say: text}` for a user, `{answer: text}` for an assistant, and takes answers in a row
 * for one. It has no word for other roles, nor for time.
 */
const terse: Dialect = {
  name: "terse",
  title: "Terse",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: false,
  limits: [
    { at: "/timestamp", why: "Terse has no clocks" },
    { at: "", role: "status", why: "Terse does not chat" },
  ],
  detect: () => 0,
  joins: (last, next) => "answer" in last && "answer" in next,
  joinsMessage: () => false,
  decode: (unit) => {
    const [first] = unit;
    const text = unit.map((record) => String(record["answer"] ?? record["say"])).join("");
    return [
      {
        message: {
          role: first !== undefined && "answer" in first ? "system" : "user",
          content: text,
          timestamp: 0,
        },
        record: 0,
      },
    ];
  },
  encode: (unit) =>
    unit.flatMap((message): JsonRecord[] => {
      if (message.role === "user") return [{ say: message.content }];
      return message.role === "system" ? [{ answer: message.content }] : [];
    }),
};

const user = (content: string, timestamp = 0): AgentMessage => ({ role: "user", content, timestamp });
const answer = (content: string): AgentMessage => ({ role: "system", content, timestamp: 0 });
const status: AgentMessage = { role: "status", state: "busy", timestamp: 0 };

function write(messages: AgentMessage[], escrow: boolean): { records: JsonRecord[]; losses: Loss[] } {
  const losses: Loss[] = [];
  const encoder = new MessageEncoder(terse, { escrow, onLoss: (loss) => losses.push(loss) });
  const records = messages.flatMap((message, index) =>
    encoder.push({
      message,
      origin: { value: {}, at: `/${index}`, text: "{}", inText: "", line: index + 1, index },
    }),
  );
  return { records: [...records, ...encoder.finish()], losses };
}

function read(records: JsonRecord[]): AgentMessage[] {
  const decoder = new MessageDecoder(terse);
  const source = records.map((value) => ({ value, at: "", text: "{}", inText: "", line: 1, index: 0 }));
  return [...source.flatMap((record) => decoder.push(record)), ...decoder.finish()].map(
    ({ message }) => message,
  );
}

describe("without escrow", () => {
  test("what can be said is said, and nothing is lost", () => {
    expect(write([user("a"), answer("b")], false)).toEqual({
      records: [{ say: "a" }, { answer: "b" }],
      losses: [],
    });
  });

  test("a field that came back different is named, with the dialect's reason", () => {
    expect(write([user("a", 5)], false).losses).toEqual([
      { at: "/0", what: "timestamp (5)", why: "Terse has no clocks", severity: "approximated" },
    ]);
  });

  test("a message without a record is named", () => {
    expect(write([user("a"), status], false).losses).toEqual([
      {
        at: "/1",
        what: "the status message",
        why: "Terse does not chat",
        severity: "dropped",
        of: "message",
      },
    ]);
  });

  test("a field with no place is named with a reason even if the dialect gives none", () => {
    const named: AgentMessage = { ...user("a"), sender: "bob", ext: { other: { x: 1 } } };
    expect(write([named], false).losses).toEqual([
      { at: "/0", what: 'sender ("bob")', why: "terse has no place for it", severity: "dropped" },
      {
        at: "/0",
        what: 'ext ({"other":{"x":1}})',
        why: "only the dialects named in it can represent it",
        severity: "dropped",
      },
    ]);
  });

  test("two messages that a reader would take for one are named", () => {
    const { records, losses } = write([answer("a"), answer("b")], false);
    expect(records).toEqual([{ answer: "a" }, { answer: "b" }]);
    expect(losses).toEqual([
      {
        at: "/0",
        what: 'content ("a")',
        why: "terse has no place for it",
        severity: "approximated",
        of: "content",
      },
      {
        at: "/1",
        what: "the system message",
        why: "its text is joined to the system message before it",
        severity: "approximated",
      },
    ]);
  });

  test("a conversation of which nothing can be said is named too", () => {
    expect(write([status], false)).toEqual({
      records: [],
      losses: [
        {
          at: "/0",
          what: "the status message",
          why: "Terse does not chat",
          severity: "dropped",
          of: "message",
        },
      ],
    });
  });
});

describe("with escrow", () => {
  test("what can be said needs none", () => {
    expect(write([user("a"), answer("b")], true).records).toEqual([{ say: "a" }, { answer: "b" }]);
  });

  test("a change is carried as a change, not as a copy", () => {
    expect(write([{ ...user("a", 5), sender: "bob" }], true).records).toEqual([
      {
        say: "a",
        "x-dragoman": {
          in: "terse",
          span: 1,
          of: ["user"],
          messages: [{ from: 0, set: { "/timestamp": 5, "/sender": "bob" } }],
        },
      },
    ]);
  });

  test("records that a reader would join say how many belong together", () => {
    expect(write([answer("a"), answer("b")], true).records).toEqual([
      { answer: "a" },
      { answer: "b", "x-dragoman": { in: "terse", span: 1, of: ["system"] } },
    ]);
  });

  test("a message without a record travels with its neighbour", () => {
    expect(write([status, user("a"), status], true).records).toEqual([
      {
        say: "a",
        "x-dragoman": {
          in: "terse",
          span: 1,
          of: ["user"],
          messages: [{ whole: status }, { from: 0 }, { whole: status }],
        },
      },
    ]);
  });

  test.each([
    ["plain", [user("a"), answer("b")]],
    ["fields", [{ ...user("a", 7), id: "x", ext: { a: { b: [1] } } } satisfies AgentMessage]],
    ["joined", [answer("a"), answer("b"), user("c"), answer("d"), answer("e")]],
    ["homeless", [status, user("a"), status, status, answer("b"), answer("c"), status]],
  ])("reading gives the source again: %s", (_, messages) => {
    const { records, losses } = write(messages, true);
    expect(read(records)).toEqual(messages);
    expect(losses).toEqual([]);
  });

  test("an escrow that does not fit its record is refused", () => {
    const broken = {
      say: "a",
      "x-dragoman": { in: "terse", span: 1, of: ["user"], messages: [{ from: 3 }] },
    };
    expect(() => read([broken])).toThrow(expect.objectContaining({ code: "convert/bad-escrow" }));
  });

  test("a field of that name that is no escrow is an ordinary field", () => {
    expect(read([{ say: "a", "x-dragoman": "mine" }])).toEqual([user("a")]);
  });
});

describe("reading back without notes", () => {
  const noted = (message: AgentMessage): AgentMessage => ({ ...message, ext: { terse: { loud: true } } });
  const dialect: Dialect = {
    ...terse,
    decode: (unit) => terse.decode(unit).map((one) => ({ ...one, message: noted(one.message) })),
    decodeWritten: terse.decode,
  };

  function lossesOf(message: AgentMessage): string[] {
    const losses: string[] = [];
    const encoder = new MessageEncoder(dialect, { escrow: false, onLoss: ({ what }) => losses.push(what) });
    encoder.push({ message, origin: undefined });
    encoder.finish();
    return losses;
  }

  test("notes that only the target makes are not losses", () => {
    expect(lossesOf(user("a"))).toEqual([]);
  });

  test("notes that the source has are compared", () => {
    expect(lossesOf(noted(user("a")))).toEqual([]);
    expect(lossesOf({ ...user("a"), ext: { terse: { loud: false } } })).toEqual(["ext.terse.loud (false)"]);
  });

  test("also those on a block", () => {
    const block = { type: "text" as const, text: "a", ext: { terse: { loud: true } } };
    expect(lossesOf({ role: "user", content: [block], timestamp: 0 })).toContain("ext");
  });
});
