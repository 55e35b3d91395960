import { expect, test } from "vitest";
import { inboundOf } from "../../../test/fakes/chat-platform.js";
import { inboxIn, turns } from "../../../test/fakes/inbox.js";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";

const inFolder = folderForEachTest();
const group = { place: { kind: "group", chat: "-5" }, addressed: false } as const;
const inboxWith = inboxIn(() => inFolder("inbox.jsonl"));

test("a message that is emptied before it is told is withdrawn, and what came with it is told", async () => {
  const { inbox, world, told, noted, withdrawn } = await inboxWith({ debounceMs: 300 });
  await inbox.receive(inboundOf("one", { id: "1" }));
  await inbox.receive(inboundOf("never mind", { id: "2" }));
  await inbox.receive(inboundOf("", { id: "2+a", edits: "2" }));
  await turns(() => noted.length === 1);
  world.pass(300);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["one"]]);
  expect([noted, withdrawn]).toEqual([["dropped a message that its author deleted or emptied"], []]);
});

test("a withdrawn message stays withdrawn after a restart, also one of a group's context or an album", async () => {
  const first = await inboxWith({ debounceMs: 300 });
  const album = { album: "A", albumSize: 2, attachments: [{ kind: "image", handle: "h" }] } as const;
  await first.inbox.receive(inboundOf("direct", { id: "1" }));
  await first.inbox.receive(inboundOf("picture", { id: "2", ...album }));
  await first.inbox.receive(inboundOf("open", { id: "3", ...group }));
  await first.inbox.receive(inboundOf("context", { id: "4", ...group }));
  await first.inbox.receive(inboundOf("", { id: "1+a", edits: "1" }));
  await first.inbox.receive(inboundOf("", { id: "2+a", edits: "2" }));
  await first.inbox.receive(inboundOf("", { id: "4+a", edits: "4", ...group }));
  await turns(() => first.noted.length === 3 && first.inbox.waiting === 0);
  await first.world.until(first.inbox.close(1));
  const { inbox, world, told } = await inboxWith({ debounceMs: 300 });
  inbox.resume();
  await inbox.receive(inboundOf("ask", { id: "5", ...group, addressed: true }));
  await turns(() => world.waiting === 1);
  world.pass(20_000);
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts, before }) => [texts, before])).toEqual([[["ask"], ["open"]]]);
  expect(first.withdrawn).toEqual([]);
});

test("a message that is emptied after it was told is recorded, and one emptied by somebody else is not", async () => {
  const { inbox, told, noted, withdrawn } = await inboxWith();
  await inbox.receive(inboundOf("secret", { id: "1", ...group, addressed: true }));
  await turns(() => inbox.waiting === 0);
  const eve = { sender: { id: "66", name: "Eve" } };
  await inbox.receive(inboundOf("", { id: "1+a", edits: "1", ...group, ...eve }));
  await inbox.receive(inboundOf("", { id: "1+b", edits: "1", ...group }));
  await turns(() => inbox.waiting === 0);
  expect(told.map(({ texts }) => texts)).toEqual([["secret"]]);
  expect(noted).toEqual([
    "ignored an edit by someone other than the author",
    "the author deleted or emptied a message that the agent already received",
  ]);
  expect(withdrawn).toEqual(["1"]);
});
