import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inboundOf } from "../../../../test/fakes/chat-platform.js";
import { inboxIn, turns } from "../../../../test/fakes/inbox.js";
import { folderForEachTest } from "../../../../test/support/temporary-folder.js";
import type { AccessSettings } from "../../../channels/settings.js";

const inFolder = folderForEachTest();
const group = { place: { kind: "group", chat: "-5" }, addressed: false } as const;

const inboxWith = inboxIn(() => inFolder("inbox.jsonl"));

test("what comes in a row is told together, each sender for themselves", async () => {
  const { inbox, world, told } = await inboxWith({ debounceMs: 300 });
  await inbox.receive(inboundOf("one", { id: "1" }));
  await inbox.receive(inboundOf("two", { id: "2" }));
  const bob = { place: { kind: "direct", chat: "8" }, sender: { id: "8" } } as const;
  await inbox.receive(inboundOf("other", { id: "3", ...bob }));
  await turns(() => world.waiting === 2);
  expect(told).toEqual([]);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["one", "two"], ["other"]]);
});

test("what arrives in a row and was written hours apart is not one question", async () => {
  const { inbox, world, told } = await inboxWith({ debounceMs: 300 });
  const at = (text: string, Timestamp: number) => {
    const inbound = inboundOf(text);
    return { ...inbound, message: { ...inbound.message, Timestamp } };
  };
  const all = [at("one", 1000), at("two", 1002), at("hours later", 9000)];
  await Promise.all(all.map((inbound) => inbox.receive(inbound)));
  await turns(() => told.length === 1 && world.waiting === 1);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["one", "two"], ["hours later"]]);
});

test("an album is one message, also when only one of it names us", async () => {
  const { inbox, world, told } = await inboxWith();
  const image = { kind: "image", handle: "h" } as const;
  const album = { ...group, album: "A", attachments: [image] };
  await inbox.receive(inboundOf("@bot look", { ...album, addressed: true }));
  await inbox.receive(inboundOf("", album));
  world.pass(500);
  await turns(() => inbox.waiting === 0);
  expect(told).toMatchObject([{ texts: ["@bot look"], files: 2 }]);
});

test("an album of a known size waits for the rest, and no longer than that", async () => {
  const { inbox, world, told } = await inboxWith();
  const album = { album: "A", albumSize: 3, attachments: [{ kind: "image", handle: "h" }] } as const;
  await inbox.receive(inboundOf("look", { ...album, id: "1" }));
  world.pass(5000);
  await inbox.receive(inboundOf("", { ...album, id: "2" }));
  world.pass(5000);
  expect(told).toEqual([]);
  await inbox.receive(inboundOf("", { ...album, id: "3" }));
  await turns(() => inbox.waiting === 0);
  expect(told).toMatchObject([{ texts: ["look"], files: 3 }]);
});

test("an album whose rest never comes is told after a while", async () => {
  const { inbox, world, told } = await inboxWith();
  const album = { album: "A", albumSize: 3, attachments: [{ kind: "image", handle: "h" }] } as const;
  await inbox.receive(inboundOf("look", { ...album, id: "1" }));
  world.pass(9999);
  expect(inbox.waiting).toBe(1);
  world.pass(1);
  await turns(() => inbox.waiting === 0);
  expect(told).toMatchObject([{ texts: ["look"], files: 1 }]);
});

test("an author edits under either of their ids", async () => {
  const { inbox, told } = await inboxWith();
  const lid = { id: "77@lid" };
  const both = { id: "49@s.whatsapp.net", otherIds: ["77@lid"] };
  const place = group.place;
  await inbox.receive(inboundOf("teh", { id: "1", place, sender: lid }));
  await turns(() => inbox.waiting === 0);
  await inbox.receive(inboundOf("the", { id: "1", edits: "1", place, sender: both }));
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["teh"], ["the"]]);
});

test("an edit of what was not told yet replaces it", async () => {
  const { inbox, world, told } = await inboxWith({ debounceMs: 300 });
  await inbox.receive(inboundOf("teh", { id: "1" }));
  await turns(() => world.waiting === 1);
  await inbox.receive(inboundOf("the", { id: "1", edits: "1" }));
  await turns(() => inbox.waiting === 1);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["the"]]);
});

test("an edit of what was told is told once, and one of what nobody heard is not", async () => {
  const { inbox, told } = await inboxWith();
  await inbox.receive(inboundOf("teh", { id: "1" }));
  await turns(() => inbox.waiting === 0);
  const edit = inboundOf("the", { id: "1", edits: "1" });
  await inbox.receive(edit);
  await inbox.receive(edit);
  await inbox.receive(inboundOf("x", { id: "9", edits: "9" }));
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["teh"], ["the"]]);
});

test("an edit that was missed is the message itself when nobody has received that, and is told once", async () => {
  const { inbox, told } = await inboxWith();
  await inbox.receive(inboundOf("received", { id: "1" }));
  const missed = inboundOf("fixed", { id: "2+later", edits: "2", missed: true });
  await inbox.receive(missed);
  await inbox.receive(missed);
  await inbox.receive(inboundOf("fixed", { id: "2+later", edits: "2" }));
  await inbox.receive(inboundOf("edited", { id: "1+later", edits: "1", missed: true }));
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts, key }) => [texts, key])).toEqual([
    [["received"], '["7","1"]'],
    [["fixed"], '["7","2"]'],
    [["edited"], expect.stringMatching(/^\["7","1\+later","[0-9a-f]{16}"\]$/)],
  ]);
});

test("what is not for us is kept for the next answer, the last fifty of a place, and an edit in its stead", async () => {
  const { inbox, told } = await inboxWith();
  for (let count = 0; count < 60; count++)
    await inbox.receive(inboundOf(`m${count}`, { ...group, id: `g${count}` }));
  await inbox.receive(inboundOf("m59!", { ...group, id: "g59", edits: "g59" }));
  await inbox.receive(inboundOf("ask", { ...group, addressed: true }));
  await turns(() => told.length === 1 && inbox.waiting === 0);
  const [{ before } = { before: [] }] = told;
  expect([before.length, before[0], before.at(-1)]).toEqual([50, "m10", "m59!"]);
  await inbox.receive(inboundOf("again", { ...group, addressed: true }));
  await turns(() => told.length === 2 && inbox.waiting === 0);
  expect(told[1]?.before).toEqual([]);
});

test("an edit that comes together with its message replaces it", async () => {
  const { inbox, world, told } = await inboxWith({ debounceMs: 300 });
  const both = [
    inbox.receive(inboundOf("typo", { id: "1" })),
    inbox.receive(inboundOf("fixed", { id: "1+2", edits: "1" })),
  ];
  await Promise.all(both);
  await turns(() => world.waiting === 1 && inbox.waiting === 1);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["fixed"]]);
});

test("only the author edits a message, whether it waits, is context or was told", async () => {
  const { inbox, world, told, noted } = await inboxWith({ debounceMs: 300 });
  const eve = { sender: { id: "66", name: "Eve" } };
  await inbox.receive(inboundOf("kept", { id: "1", ...group }));
  await inbox.receive(inboundOf("forged", { id: "1+a", edits: "1", ...group, ...eve }));
  await inbox.receive(inboundOf("question", { id: "2", ...group, addressed: true }));
  await inbox.receive(inboundOf("forged", { id: "2+a", edits: "2", ...group, ...eve, addressed: true }));
  await turns(() => noted.length === 2);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  await inbox.receive(inboundOf("forged", { id: "2+b", edits: "2", ...group, ...eve, addressed: true }));
  await turns(() => noted.length === 3);
  expect(told).toMatchObject([{ texts: ["question"], before: ["kept"] }]);
  expect(noted[0]).toBe("ignored an edit by someone other than the author");
});

test("a command is done after what was said before it, and before what was said after it", async () => {
  const { inbox, world, told } = await inboxWith({ debounceMs: 300 });
  const all = [inboundOf("one"), inboundOf("/new"), inboundOf("two"), inboundOf("three")];
  await Promise.all(all.map((inbound) => inbox.receive(inbound)));
  await turns(() => told.length === 2 && world.waiting === 1 && inbox.waiting === 2);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["one"], ["/new"], ["two", "three"]]);
});

test("messages of another bot that have the same ids are other messages", async () => {
  const { inbox, told } = await inboxWith();
  await inbox.receive(inboundOf("to A", { id: "1", idScope: "100" }));
  await inbox.receive(inboundOf("to A again", { id: "1", idScope: "100" }));
  await inbox.receive(inboundOf("to B", { id: "1", idScope: "200" }));
  await inbox.receive(inboundOf("to B, edited", { id: "1+2", edits: "1", idScope: "200" }));
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["to A"], ["to B"], ["to B, edited"]]);
});

test("strangers are paired and not told, and commands are done", async () => {
  const { inbox, told, paired } = await inboxWith({ settings: { allow: ["7"] } });
  await inbox.receive(inboundOf("hi", { sender: { id: "8" }, place: { kind: "direct", chat: "8" } }));
  await inbox.receive(inboundOf("/stop"));
  await turns(() => inbox.waiting === 0);
  expect([told.map(({ texts }) => texts), paired]).toEqual([[["/stop"]], ["8"]]);
});

test("what fails is tried again, in its order, while other places go on", async () => {
  let failures = 2;
  const { inbox, world, told, noted } = await inboxWith({
    tell: async ({ texts }) => {
      if (texts[0] === "one" && failures-- > 0) throw new Error("not yet");
    },
  });
  await inbox.receive(inboundOf("one"));
  await inbox.receive(inboundOf("two"));
  await inbox.receive(inboundOf("else", { place: { kind: "direct", chat: "8" } }));
  await turns(() => told.length === 1 && world.waiting === 1);
  world.pass(250);
  await turns(() => world.waiting === 1);
  world.pass(500);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts[0])).toEqual(["else", "one", "two"]);
  expect(noted).toEqual(["could not handle a message, will retry", "could not handle a message, will retry"]);
});

test("what was told and not written down is told under the same key, with the same messages", async () => {
  const first = await inboxWith({ debounceMs: 300, tell: () => new Promise(() => undefined) });
  await first.inbox.receive(inboundOf("one", { id: "1" }));
  await first.inbox.receive(inboundOf("two", { id: "2" }));
  await turns(() => first.world.waiting === 1);
  first.world.pass(300);
  await turns(() => readFileSync(inFolder("inbox.jsonl"), "utf8").includes('"batch"'));
  const second = await inboxWith({ debounceMs: 300 });
  second.inbox.resume();
  await second.inbox.receive(inboundOf("three", { id: "3" }));
  await turns(() => second.told.length === 1);
  expect(second.told).toMatchObject([{ texts: ["one", "two"], key: '["7","1"]' }]);
  await second.inbox.receive(inboundOf("one", { id: "1" }));
  await turns(() => second.world.waiting === 1);
  second.world.pass(300);
  await turns(() => second.inbox.waiting === 0);
  expect(second.told.map(({ texts }) => texts)).toEqual([["one", "two"], ["three"]]);
});

test("what strangers say in a group is kept only once somebody who may ask has written there", async () => {
  const settings: AccessSettings = { allow: ["7"] };
  const { inbox, told } = await inboxWith({ settings });
  const stranger = { ...group, sender: { id: "8" } };
  await inbox.receive(inboundOf("before", { ...stranger, id: "1" }));
  await inbox.receive(inboundOf("hello all", { ...group, id: "2" }));
  await inbox.receive(inboundOf("<".repeat(4096), { ...stranger, id: "3" }));
  await inbox.receive(inboundOf("what?", { ...group, id: "4", addressed: true }));
  await turns(() => told.length === 1);
  expect(told[0]?.before).toEqual(["hello all", "<".repeat(1000)]);
});

test("a missed edit of a message that is just being stored is an edit of it", async () => {
  const { inbox, told } = await inboxWith();
  await Promise.all([
    inbox.receive(inboundOf("teh", { id: "1" })),
    inbox.receive(inboundOf("the", { id: "1+later", edits: "1", missed: true })),
  ]);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["teh"], ["the"]]);
});

test("a message that is delivered again while it is stored is received only when it is on disk", async () => {
  const { inbox } = await inboxWith();
  const message = inboundOf("once", { id: "1" });
  const first = inbox.receive(message);
  await inbox.receive(message);
  expect(readFileSync(inFolder("inbox.jsonl"), "utf8")).toContain('"once"');
  await first;
  await turns(() => inbox.waiting === 0);
});

test("what was written a minute apart is one question, and what was written later is another", async () => {
  const { inbox, world, told } = await inboxWith({ debounceMs: 300 });
  for (const [text, Timestamp] of [
    ["one", 1000],
    ["two", 1060],
    ["three", 1121],
  ] as const) {
    const inbound = inboundOf(text);
    await inbox.receive({ ...inbound, message: { ...inbound.message, Timestamp } });
  }
  await turns(() => told.length === 1);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["one", "two"], ["three"]]);
});

test("where several write, an edit of a message whose author is not known is ignored; between two it is told", async () => {
  const seen = {
    type: "seen",
    ids: [
      ["-5", "1"],
      ["7", "1"],
    ].map((key) => [JSON.stringify(key), 1_000_000]),
  };
  writeFileSync(inFolder("inbox.jsonl"), `${JSON.stringify(seen)}\n`);
  const { inbox, told, noted } = await inboxWith();
  await inbox.receive(inboundOf("group", { ...group, addressed: true, id: "1", edits: "1" }));
  await inbox.receive(inboundOf("direct", { id: "1", edits: "1" }));
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["direct"]]);
  expect(noted).toEqual(["ignored an edit by someone other than the author"]);
});

test("what cannot be told is tried eight times, and then left for the next start", async () => {
  let attempts = 0;
  const { inbox, world, told } = await inboxWith({
    tell: async ({ texts: [text] }) => {
      if (text !== "bad") return;
      attempts++;
      throw new Error("the disk is full");
    },
  });
  await inbox.receive(inboundOf("bad"));
  await inbox.receive(inboundOf("good"));
  while (told.length === 0) {
    await new Promise(setImmediate);
    world.pass(60_000);
  }
  expect(attempts).toBe(8);
  await turns(() => inbox.waiting === 1);
});

test("a command is on record as done only after it was, so that the next process does what a killed one did not", async () => {
  const journal: string[] = [];
  const { inbox } = await inboxWith({
    tell: async () => void journal.push(readFileSync(inFolder("inbox.jsonl"), "utf8")),
  });
  await inbox.receive(inboundOf("/new"));
  await turns(() => inbox.waiting === 0);
  expect(journal.map((text) => text.includes('"done"'))).toEqual([false]);
});

test("a command ends the waiting of what was said before it in its own place, and in no other", async () => {
  const { inbox, world, told } = await inboxWith({ debounceMs: 300 });
  const bob = { place: { kind: "direct", chat: "8" }, sender: { id: "8" } } as const;
  await inbox.receive(inboundOf("other", bob));
  await inbox.receive(inboundOf("before"));
  await turns(() => world.waiting === 2);
  await inbox.receive(inboundOf("/new"));
  await turns(() => told.length >= 2 && inbox.waiting === 1);
  expect(told.map(({ texts }) => texts)).toEqual([["before"], ["/new"]]);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["before"], ["/new"], ["other"]]);
});
