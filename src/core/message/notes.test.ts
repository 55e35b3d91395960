import { expect, test } from "vitest";
import { headerExt, metaOf, noteMessage } from "./notes.js";

test("what a session began with holds until a note says otherwise", () => {
  const ext = headerExt({ model: "demo/echo", systemPrompt: "Be brief.", tools: ["read"] });
  const header = { role: "session" as const, timestamp: 1, ext };
  expect(metaOf([header])).toEqual({ model: "demo/echo", systemPrompt: "Be brief.", tools: ["read"] });
  const note = noteMessage({ type: "dragoman/meta", data: { model: "demo/script", archived: true } }, 2);
  expect(metaOf([header, note])).toEqual({
    model: "demo/script",
    systemPrompt: "Be brief.",
    tools: ["read"],
    archived: true,
  });
});

test("what is no such thing is not taken for it", () => {
  const header = { role: "session" as const, timestamp: 1, ext: { meta: { tools: "all", model: 7 } } };
  expect(metaOf([header])).toEqual({});
});
