import { describe, expect, test } from "vitest";
import { convert } from "../../convert/convert.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AssistantMessage, UserMessage } from "../../core/types.js";
import { encode } from "./encode.js";
import { framing } from "./framing.js";

const user: UserMessage = { role: "user", id: "u1", content: "Go", timestamp: 1 };

const answer = (id: string, text: string, more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  id,
  content: [{ type: "text", text }],
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-opus-4-6",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 5,
  ...more,
});

/** The document that is made of these messages, without its messages. */
function headerOf(...unit: Parameters<typeof encode>): unknown {
  if (framing.kind !== "document") return undefined;
  const { messages: _, ...header } = JSON.parse(JSON.stringify(framing.join(encode(...unit))));
  return header;
}

describe("the header", () => {
  const session = { role: "session" as const, id: "s1", timestamp: 1777714200250 };

  test("of no conversation is always the same", () => {
    expect(headerOf([])).toEqual({
      version: 1,
      updated_at: "1970-01-01T00:00:00.000Z",
      agent: "lead",
      sessionId: "session",
    });
  });

  test("is one: a session that begins later leaves no record", () => {
    const [header = {}] = encode([]);
    expect(encode([session], undefined, header)).toEqual([]);
  });

  test("has the session and the system prompt after it; other messages have no place", () => {
    const noted = { ...session, ext: { cline: { agent: "subagent", taskType: "review" } } };
    const system = {
      role: "system" as const,
      content: [
        { type: "text" as const, text: "Be" },
        { type: "text" as const, text: "brief" },
      ],
      timestamp: 1,
    };
    const status = { role: "status" as const, state: "busy", timestamp: 2 };
    expect(headerOf([noted, status, system])).toEqual({
      version: 1,
      updated_at: "2026-05-02T09:30:00.250Z",
      agent: "subagent",
      sessionId: "s1",
      taskType: "review",
      system_prompt: "Be\n\nbrief",
    });
  });

  test.each([
    ["a call of another session", { session: "s0", toolCallId: "c1" }, "subagent", "scout"],
    ["a fork", { session: "s0", message: "m1" }, "lead", undefined],
    ["a repaired copy", { session: "s0" }, "lead", undefined],
  ])("says what kind of agent began with %s", (_, parent, agent, taskType) => {
    expect(headerOf([{ ...session, agent: "scout", parent }])).toEqual({
      version: 1,
      updated_at: "2026-05-02T09:30:00.250Z",
      agent,
      sessionId: "s1",
      ...(taskType === undefined ? {} : { taskType }),
    });
  });

  test("names the task of a sub-agent without a name", () => {
    const parent = { session: "s0", toolCallId: "c1" };
    expect(headerOf([{ ...session, parent }])).toMatchObject({ agent: "subagent", taskType: "subagent" });
  });

  test("was updated when the last message was said, whoever said it", async () => {
    const at = (timestamp: number) => ({ ...user, timestamp });
    const updated = async (...messages: object[]) => {
      const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
      const { output } = await convert(lines, { from: "openclaw", to: "cline" });
      return JSON.parse(output).updated_at;
    };
    const later = 1777714235000;
    expect(await updated(session, at(1777714200251), answer("a1", "Hi", { timestamp: later }))).toBe(
      "2026-05-02T09:30:35.000Z",
    );
    expect(await updated(session, answer("a1", "Hi", { timestamp: 1777714200251 }), at(later))).toBe(
      "2026-05-02T09:30:35.000Z",
    );
    expect(await updated(at(later))).toBe("2026-05-02T09:30:35.000Z");
    expect(await updated(session, at(5))).toBe("2026-05-02T09:30:00.250Z");
  });

  test("of a file stays as it is, also when a message in it is later", async () => {
    const file = {
      version: 1,
      updated_at: "2026-05-02T09:30:00.250Z",
      agent: "lead",
      sessionId: "s1",
      messages: [{ id: "a1", role: "assistant", content: [{ type: "text", text: "Hi" }], ts: 1999999999999 }],
    };
    const { output, losses } = await convert(JSON.stringify(file), { from: "cline", to: "cline" });
    expect(JSON.parse(output)).toEqual(file);
    expect(losses).toEqual([]);
  });

  test("of a session without an id has one that stays the same while the conversation grows", async () => {
    const idOf = async (...messages: object[]) => {
      const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
      return JSON.parse((await convert(lines, { from: "openclaw", to: "cline" })).output).sessionId;
    };
    expect(await idOf(user)).toBe(await idOf(user, answer("a1", "Hi")));
    expect(await idOf(user)).toMatch(/^session_[0-9a-f]{16}$/);
    expect(await idOf({ ...user, content: "Other" })).not.toBe(await idOf(user));
    expect(await idOf({ ...session, id: "session" }, user)).toBe("session");
  });

  test("has a system message that begins the conversation, once", async () => {
    const system = {
      role: "system",
      content: "Be brief.",
      timestamp: 0,
      ext: { synthesised: ["/timestamp"] },
    };
    for (const rest of [user, answer("a1", "Hi")]) {
      const text = `${JSON.stringify(system)}\n${JSON.stringify(rest)}\n`;
      const { output, losses } = await convert(text, { from: "openclaw", to: "cline" });
      expect(output.match(/"system_prompt": .*/g)).toEqual(['"system_prompt": "Be brief."']);
      expect(losses.filter(({ at }) => at === "/0")).toEqual([
        {
          at: "/0",
          of: "message",
          what: "a session message",
          why: "cline has one here",
          severity: "synthesised",
        },
      ]);
    }
  });

  test("has all system messages that begin the conversation", async () => {
    const system = (content: string) => `${JSON.stringify({ role: "system", content, timestamp: 1 })}\n`;
    const text = `${system("Be brief.")}${system("Be kind.")}${JSON.stringify(user)}\n`;
    const { output, losses } = await convert(text, { from: "openclaw", to: "cline" });
    expect(JSON.parse(output).system_prompt).toBe("Be brief.\n\nBe kind.");
    expect(losses.filter(({ at }) => at === "/1")).toEqual([
      {
        at: "/1",
        what: "the system message",
        why: "its text is joined to the system message before it",
        severity: "approximated",
      },
    ]);
  });

  test("survives a time no date can hold", () => {
    expect(headerOf([{ ...session, timestamp: 1e300 }])).toEqual({
      version: 1,
      updated_at: "1970-01-01T00:00:00.000Z",
      agent: "lead",
      sessionId: "s1",
    });
  });
});
