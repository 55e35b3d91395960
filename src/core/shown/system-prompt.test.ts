import { describe, expect, test } from "vitest";
import type { AgentMessage, SystemMessage } from "../types.js";
import { headPrompt, promptText } from "./system-prompt.js";

const session: AgentMessage = { role: "session", id: "s1", timestamp: 1 };
const note: AgentMessage = { role: "custom", customType: "dragoman/meta", data: {}, timestamp: 2 };
const brief: SystemMessage = { role: "system", content: "Be brief.", timestamp: 3 };
const kind: SystemMessage = { role: "system", content: [{ type: "text", text: "Be kind." }], timestamp: 4 };
const question: AgentMessage = { role: "user", content: "Hi", timestamp: 5 };

describe("the system prompt at the head of a conversation", () => {
  test("is the text of its system messages, as paragraphs", () => {
    expect(headPrompt([brief, kind, question])).toEqual({
      prompt: "Be brief.\n\nBe kind.",
      taken: [brief, kind],
      rest: [question],
    });
  });

  test("comes after a session header and notes, which stay", () => {
    expect(headPrompt([session, note, brief, note, kind, question, brief])).toEqual({
      prompt: "Be brief.\n\nBe kind.",
      taken: [brief, kind],
      rest: [session, note, note, question, brief],
    });
  });

  test("comes after lines of status and errors, which no model is shown", () => {
    const status: AgentMessage = { role: "status", state: "started", timestamp: 1 };
    const error: AgentMessage = { role: "error", content: "no route", timestamp: 1 };
    for (const line of [status, error]) {
      expect(headPrompt([line, brief, line, kind, question])).toEqual({
        prompt: "Be brief.\n\nBe kind.",
        taken: [brief, kind],
        rest: [line, line, question],
      });
    }
  });

  test("does not begin after something that a model is shown", () => {
    const added: AgentMessage = { role: "custom", customType: "x", content: "Look", timestamp: 6 };
    for (const first of [question, added]) {
      expect(headPrompt([first, brief])).toEqual({ prompt: undefined, taken: [], rest: [first, brief] });
    }
  });

  test("ends at a system message that is refused", () => {
    expect(headPrompt([brief, kind, question], ({ content }) => typeof content === "string")).toEqual({
      prompt: "Be brief.",
      taken: [brief],
      rest: [kind, question],
    });
  });

  test("has the text of a message in blocks, without what is not text", () => {
    const image = { type: "image" as const, url: "https://example.org/a.png" };
    const content = [{ type: "text" as const, text: "One" }, image, { type: "text" as const, text: "Two" }];
    expect(promptText({ role: "system", content, timestamp: 0 })).toBe("One\n\nTwo");
  });
});
