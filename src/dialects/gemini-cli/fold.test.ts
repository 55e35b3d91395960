import { describe, expect, test } from "vitest";
import { fold } from "./fold.js";

const header = { sessionId: "s", projectHash: "p" };
const user = (id: string, content = id) => ({ id, type: "user", content });

function folded(...values: unknown[]) {
  const { records, losses } = fold(values.map((value, index) => ({ value, index })));
  return {
    records: records.map(({ value }) => value),
    losses: losses.map(({ at, what, frames }) => ({ at, what, frames })),
  };
}

describe("lines that change earlier ones", () => {
  test("successive versions of a message stay", () => {
    const set = { $set: { lastUpdated: "x" } };
    const lines = [header, user("u"), set, user("u", "again")];
    expect(folded(...lines)).toEqual({ records: lines, losses: [] });
  });

  test("a message that is replaced later keeps its place", () => {
    expect(folded(user("u"), user("v"), user("u", "again"))).toEqual({
      records: [user("u", "again"), user("v")],
      losses: [{ at: "/0", what: "an earlier version of the message", frames: [0] }],
    });
  });

  test("a rewind removes a message and all after it, but not the title", () => {
    const title = { $set: { summary: "Frogs" } };
    expect(folded(user("u"), user("v"), title, user("w"), { $rewindTo: "v" }, user("x"))).toEqual({
      records: [user("u"), title, user("x")],
      losses: [{ at: "/1", what: "2 messages", frames: [1, 3, 4] }],
    });
  });

  test("a rewind to an unknown message removes all messages", () => {
    expect(folded(header, user("u"), { $rewindTo: "none" })).toEqual({
      records: [header],
      losses: [{ at: "/1", what: "a message", frames: [1, 2] }],
    });
  });

  test("all messages are replaced; those that stay are not lost", () => {
    const messages = [user("s"), user("v"), { content: "no id" }];
    expect(folded(header, user("u"), user("v"), { $set: { messages } })).toEqual({
      records: [header, user("s"), user("v")],
      losses: [
        { at: "/1", what: "a message", frames: [1] },
        { at: "/3", what: "a message", frames: [3] },
      ],
    });
  });

  test("a copy of results that is written again is replaced, and its answer stays", () => {
    const result = [{ functionResponse: { id: "c", name: "look", response: { output: "2" } } }];
    const answer = {
      id: "g",
      type: "gemini",
      content: "",
      toolCalls: [{ id: "c", name: "look", args: {}, result }],
    };
    const copy = { id: "e", type: "user", content: result };
    expect(folded(answer, copy, user("u"), { ...copy, later: true })).toEqual({
      records: [answer, { ...copy, later: true }, user("u")],
      losses: [{ at: "/1", what: "an earlier version of the message", frames: [1] }],
    });
  });
});
