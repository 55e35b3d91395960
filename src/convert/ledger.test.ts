import { expect, test } from "vitest";
import type { Dialect } from "../core/dialect.js";
import type { AgentMessage } from "../core/types.js";
import { lossesBetween } from "./ledger.js";

const target: Dialect = {
  name: "terse",
  title: "Terse",
  kind: "transcript",
  framing: { kind: "lines" },
  branches: false,
  limits: [{ at: "/timestamp", why: "Terse has no clocks" }],
  detect: () => 0,
  joins: () => false,
  joinsMessage: () => false,
  decode: () => [],
  encode: () => [],
};

function losses(source: AgentMessage, back: AgentMessage) {
  const origin = { value: {}, at: "/4", text: "{}", inText: "", line: 1, index: 0 };
  return lossesBetween([{ message: source, origin }], [back], target);
}

const said: AgentMessage = { role: "user", content: "a", timestamp: 5 };
const unsaid: AgentMessage = { ...said, timestamp: 0, ext: { synthesised: ["/timestamp"] } };

test("a field that is read back as a neutral value is dropped, and its mark is no loss of its own", () => {
  expect(losses(said, unsaid)).toEqual([
    { at: "/4", what: "timestamp (5)", why: "Terse has no clocks", severity: "dropped" },
  ]);
});

test("also when the value happens to be the neutral one", () => {
  expect(losses({ ...said, timestamp: 0 }, unsaid)).toEqual([
    { at: "/4", what: "timestamp (0)", why: "Terse has no clocks", severity: "dropped" },
  ]);
});

test("what nobody said, before and after, is no loss", () => {
  expect(losses(unsaid, unsaid)).toEqual([]);
});

test("a neutral value that had to be written is named, beside one that is gone", () => {
  const source: AgentMessage = { ...said, sender: "", ext: { synthesised: ["/sender"] } };
  const back: AgentMessage = { ...unsaid, sender: "" };
  expect(losses(source, back)).toEqual([
    { at: "/4", what: "timestamp (5)", why: "Terse has no clocks", severity: "dropped" },
    {
      at: "/4",
      what: 'ext.synthesised.0 ("/sender")',
      why: "terse requires it, so a neutral value was written",
      severity: "synthesised",
    },
  ]);
});

test("what a reader adds to ext beside the marks is named", () => {
  const back: AgentMessage = { ...said, ext: { terse: { a: 1 } } };
  expect(losses(said, back).map(({ what, severity }) => [what, severity])).toEqual([["ext", "synthesised"]]);
});

test("a block that is gone does not make those after it look changed", () => {
  const text = (words: string) => ({ type: "text" as const, text: words });
  const audio = { type: "audio" as const, url: "u" };
  const source: AgentMessage = { ...said, content: [text("a"), audio, text("b"), audio] };
  const back: AgentMessage = { ...said, content: [text("a"), text("B")] };
  expect(losses(source, back).map(({ what, severity }) => [what, severity])).toEqual([
    ['content.1 ({"type":"audio","url":"u"})', "dropped"],
    ['content.2.text ("b")', "approximated"],
    ['content.3 ({"type":"audio","url":"u"})', "dropped"],
  ]);
});

test("marks that are no pointers mark nothing", () => {
  const odd: AgentMessage = { ...said, ext: { synthesised: ["x", "/~"] } };
  expect(losses(odd, odd)).toEqual([]);
  expect(losses(said, odd)).toEqual([]);
});

test("a picture that one text has no place for is dropped, though the content is only changed", () => {
  const picture = { type: "image" as const, url: "https://a.example/b.png" };
  const source: AgentMessage = { ...said, content: [{ type: "text", text: "a" }, picture] };
  expect(losses(source, said)).toEqual([
    {
      at: "/4",
      what: 'content ([{"type":"text","text":"a"},{"type":"ima…)',
      why: "terse has no place for it",
      severity: "approximated",
      of: "content",
    },
    {
      at: "/4",
      what: 'content.1 ({"type":"image","url":"https://a.example…)',
      why: "terse has no place for it",
      severity: "dropped",
      of: "content",
    },
  ]);
});

test("every block that is not text is dropped when the target keeps one text: a recording and a file too", () => {
  const source: AgentMessage = {
    ...said,
    content: [
      { type: "text", text: "a" },
      { type: "file", url: "https://a.example/b.pdf" },
      { type: "audio", url: "https://a.example/c.ogg" },
    ],
  };
  expect(losses(source, said).map(({ what, severity }) => [what, severity])).toEqual([
    ['content ([{"type":"text","text":"a"},{"type":"fil…)', "approximated"],
    ['content.1 ({"type":"file","url":"https://a.example/…)', "dropped"],
    ['content.2 ({"type":"audio","url":"https://a.example…)', "dropped"],
  ]);
});

test("a note on what was lost elsewhere is no part of the conversation, and no loss", () => {
  const note = (customType: string, data: unknown): AgentMessage => ({
    role: "custom",
    customType,
    data,
    timestamp: 5,
  });
  const lost = note("dragoman/losses", { border: "view", target: "cline", losses: [] });
  const origin = { value: {}, at: "/4", text: "{}", inText: "", line: 1, index: 0 };
  expect(lossesBetween([{ message: lost, origin }], [], target)).toEqual([]);
  const titled = note("dragoman/meta", { title: "Birds" });
  expect(lossesBetween([{ message: titled, origin }], [], target)).toHaveLength(1);
});
