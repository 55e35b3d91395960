import { expect, test } from "vitest";
import { convert } from "./convert.js";

const timestamp = 1_740_000_000_000;
const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

test("Timbal: a field that would make a reader ignore the frame is not written, and named", async () => {
  const frame = { c: "error", a: "text", m: 5, s: 1, v: null, note: "kept" };
  const source = lines({ role: "user", content: "Hi", timestamp, ext: { timbal: { frame } } });
  const { output, losses } = await convert(source, { from: "openclaw", to: "timbal" });
  expect(Object.keys(JSON.parse(output)).sort()).toEqual(["i", "note", "t", "v"]);
  expect(losses.map(({ what, severity }) => [what, severity])).toEqual([
    ['ext.timbal.frame.c ("error")', "dropped"],
    ['ext.timbal.frame.a ("text")', "dropped"],
    ["ext.timbal.frame.m (5)", "dropped"],
    ["ext.timbal.frame.s (1)", "dropped"],
    ["ext.timbal.frame.v (null)", "dropped"],
  ]);
});

test.each([
  ["clawtools", { clawtools: { fields: { "x-dragoman": { span: 9 } } } }],
  ["cline", { cline: { fields: { "x-dragoman": { span: 9 } } } }],
  ["timbal", { timbal: { frame: { "x-dragoman": { span: 9 } } } }],
] as const)("%s: what a reader would take for an escrow is not written, and named", async (to, ext) => {
  const source = lines({ role: "user", content: [{ type: "text", text: "Hi" }], timestamp, id: "m1", ext });
  const { output, losses } = await convert(source, { from: "openclaw", to });
  expect(output).not.toContain("x-dragoman");
  expect(losses.filter(({ what }) => what.includes('{"x-dra'))).toMatchObject([
    { at: expect.stringContaining("/0"), severity: "dropped" },
  ]);
  const sealed = await convert(source, { from: "openclaw", to, escrow: true });
  expect(sealed.losses).toEqual([]);
  const back = await convert(sealed.output, { from: to, to: "openclaw" });
  expect(JSON.parse(back.output)).toEqual(JSON.parse(source));
});

test("a field of that name that is no escrow stays, also beside an escrow", async () => {
  const ext = { clawtools: { fields: { "x-dragoman": "mine" } } };
  const source = lines({ role: "user", content: [{ type: "text", text: "Hi" }], timestamp, ext });
  const { output } = await convert(source, { from: "openclaw", to: "clawtools" });
  expect(JSON.parse(output)).toMatchObject([{ "x-dragoman": "mine" }]);
  const sealed = await convert(source, { from: "openclaw", to: "clawtools", escrow: true });
  expect((await convert(sealed.output, { from: "clawtools", to: "openclaw" })).output).toBe(source);
});

test("Cline: ids of the source stay as they are, and equal turns without any get different ones", async () => {
  const hi = { role: "user", content: [{ type: "text", text: "Hi" }], timestamp: 0 };
  const id = "msg_0123456789abcdef";
  const source = lines({ ...hi, id }, { ...hi, id }, hi, hi);
  const { output } = await convert(source, { from: "openclaw", to: "cline" });
  const ids: string[] = JSON.parse(output).messages.map((message: { id: string }) => message.id);
  expect(ids.slice(0, 2)).toEqual([id, id]);
  expect(new Set(ids).size).toBe(3);
});

test("Cline: messages among the fields of a session are not written, and named", async () => {
  const ext = { cline: { fields: { messages: [1], other: 2 } } };
  const source = lines({ role: "session", id: "s", timestamp, ext });
  const { output, losses } = await convert(source, { from: "openclaw", to: "cline" });
  expect(JSON.parse(output)).toMatchObject({ messages: [], other: 2 });
  expect(losses.map(({ what }) => what)).toEqual([
    `timestamp (${timestamp})`,
    "ext.cline.fields.messages ([1])",
    "ext.cline.updatedAt",
  ]);
});
