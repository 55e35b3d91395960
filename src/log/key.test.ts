import { describe, expect, test } from "vitest";
import { agentOf, canonicalKey, checkAgent, peerOf, sessionKey } from "./key.js";

describe("keys that are right", () => {
  test.each([
    ["agent:main:main", "agent:main:main"],
    ["agent:main:telegram:dm:123456789", "agent:main:telegram:dm:123456789"],
    ["agent:main:telegram:direct:123456789", "agent:main:telegram:dm:123456789"],
    ["agent:main:telegram:group:-100123:topic:42", "agent:main:telegram:group:-100123:topic:42"],
    [
      "agent:Bot_2:whatsapp:direct:4915112345678@s.whatsapp.net",
      "agent:Bot_2:whatsapp:dm:4915112345678@s.whatsapp.net",
    ],
    ["agent:main:discord:channel:AbC:thread:9", "agent:main:discord:channel:AbC:thread:9"],
    ["agent:main:matrix:dm:@ann%3Amatrix.org", "agent:main:matrix:dm:@ann%3Amatrix.org"],
    ["agent:main:cron:nightly:direct", "agent:main:cron:nightly:direct"],
    ["agent:main:direct", "agent:main:direct"],
  ])("%s is %s", (key, canonical) => {
    expect(canonicalKey(key)).toBe(canonical);
  });

  test("a key belongs to its agent", () => {
    expect(agentOf("agent:helper:telegram:dm:1")).toBe("helper");
  });

  test("ids keep their case, their colons and their percent signs", () => {
    const peer = { agent: "main", channel: "matrix", kind: "group" as const, peer: "!Room:host%3A" };
    const key = sessionKey({ ...peer, thread: { kind: "thread", id: "$a:b" } });
    expect(key).toBe("agent:main:matrix:group:!Room%3Ahost%253A:thread:$a%3Ab");
    expect(peerOf(key)).toEqual({ ...peer, thread: { kind: "thread", id: "$a:b" } });
  });

  test("ids keep their white space and control characters, each id with a key of its own", () => {
    const peer = { agent: "main", channel: "webhook", kind: "dm" as const };
    const ids = [
      "Ann Smith",
      "Ann%20Smith",
      "a\tb",
      "\u00a0",
      "\u1680",
      "\u2028",
      "\u3000",
      "\ufeff",
      "\u0085",
      "\0",
    ];
    const keys = ids.map((id) => sessionKey({ ...peer, peer: id }));
    expect(keys[0]).toBe("agent:main:webhook:dm:Ann%20Smith");
    expect(keys.map((key) => peerOf(key)?.peer)).toEqual(ids);
    expect(keys.map(canonicalKey)).toEqual(keys);
  });

  test("what is said of a peer; direct is dm", () => {
    expect(peerOf("agent:main:telegram:direct:123")).toEqual({
      agent: "main",
      channel: "telegram",
      kind: "dm",
      peer: "123",
    });
    expect(peerOf("agent:main:main")).toBeUndefined();
  });
});

describe("keys that are refused", () => {
  test.each([
    ["", "does not begin with agent:<id>:<more>"],
    ["main", "does not begin with agent:<id>:<more>"],
    ["agent:main", "does not begin with agent:<id>:<more>"],
    ["agent:main:telegram::1", "has an empty part"],
    ["agent:main:telegram:dm", 'has no id after "dm"'],
    [
      "agent:main:matrix:dm:@ann:matrix.org",
      'has more after "dm" than an id and :thread:<id> or :topic:<id>',
    ],
    ["agent:main:telegram:dm:1:topic:2:3", 'has more after "dm" than an id and :thread:<id> or :topic:<id>'],
    ["agent:main:telegram:dm:1:topic", 'has more after "dm" than an id and :thread:<id> or :topic:<id>'],
    ["agent:main:telegram:dm:1 2", "contains white space or an unprintable character"],
    ["agent:main:telegram:dm:1\u0000", "contains white space or an unprintable character"],
    ["agent:main:telegram:dm:\ud800", "contains white space or an unprintable character"],
    ["agent:main:telegram:dm:100%", "contains a % that is not part of a valid escape"],
    ["agent:main:telegram:dm:%41", "contains a % that is not part of a valid escape"],
    ["agent:main:telegram:dm:%E2%80", "contains a % that is not part of a valid escape"],
    ["agent:main:telegram:dm:%E1%BF%BF", "contains a % that is not part of a valid escape"],
    ["agent:main:telegram:dm:%3a", "contains a % that is not part of a valid escape"],
    [`agent:main:telegram:dm:${"1".repeat(1024)}`, "is longer than 1024 characters"],
  ])("%j %s", (key, problem) => {
    expect(() => canonicalKey(key)).toThrow(
      expect.objectContaining({ code: "log/bad-key", message: expect.stringContaining(problem) }),
    );
  });

  test.each(["", "..", ".", "a/b", "a\\b", "a b", "ä", "con", "COM1", "a".repeat(65)])(
    "an agent cannot be called %j",
    (agent) => {
      expect(() => checkAgent(agent)).toThrow(expect.objectContaining({ code: "log/bad-agent" }));
      expect(() => canonicalKey(`agent:${agent}:main`)).toThrow(
        expect.objectContaining({ code: "log/bad-agent" }),
      );
    },
  );
});
