import { readdirSync } from "node:fs";
import * as baileys from "baileys";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { valuesIn } from "../../../test/support/values-in.js";
import { RecentMessages } from "./recent-messages.js";

function message(id: string, text: string, fromMe = false): baileys.WAMessage {
  return {
    key: { id, remoteJid: "1@s.whatsapp.net", fromMe },
    message: baileys.proto.Message.fromObject({
      imageMessage: { caption: text, mediaKey: Buffer.from("key"), fileLength: 12 },
    }),
  };
}

async function caption(recent: RecentMessages, id: string, side: "ours" | "theirs" = "theirs") {
  return (await recent.find(id, side))?.message?.imageMessage?.caption;
}

test("a message is there again after a restart, byte for byte", async () => {
  const folder = temporaryFolder();
  const recent = await RecentMessages.open(baileys, valuesIn(folder));
  const said = message("A/1", "Look");
  recent.add(said);
  await recent.close();
  const again = await (await RecentMessages.open(baileys, valuesIn(folder))).find("A/1", "theirs");
  const bytes = (found: baileys.WAMessage | undefined) =>
    Buffer.from(baileys.proto.Message.encode(found?.message ?? {}).finish()).toString("hex");
  expect(bytes(again)).toBe("1a0d1a044c6f6f6b280c42036b6579");
  expect(bytes(said)).toBe("1a0d1a044c6f6f6b280c42036b6579");
});

test("the oldest are forgotten, also those from before", async () => {
  const folder = temporaryFolder();
  const recent = await RecentMessages.open(baileys, valuesIn(folder), 2);
  for (const id of ["A", "B", "C"]) recent.add(message(id, id));
  await recent.close();
  const again = await RecentMessages.open(baileys, valuesIn(folder), 2);
  again.add(message("D", "D"));
  await again.close();
  expect(await Promise.all(["A", "B", "C", "D"].map((id) => caption(again, id)))).toEqual([
    undefined,
    undefined,
    "C",
    "D",
  ]);
  expect(readdirSync(folder).sort()).toEqual(["000000000002-theirs-C.json", "000000000003-theirs-D.json"]);
});

test("nobody's message stands for one of ours, and the first under an id stays", async () => {
  const recent = await RecentMessages.open(baileys, valuesIn());
  recent.add(message("A", "ours", true));
  recent.add(message("A", "theirs"));
  recent.add(message("A", "theirs, too"));
  expect([await caption(recent, "A", "ours"), await caption(recent, "A")]).toEqual(["ours", "theirs"]);
  await recent.close();
});

test("what says nothing, or has an id like a book, is not kept", async () => {
  const folder = temporaryFolder();
  const recent = await RecentMessages.open(baileys, valuesIn(folder));
  recent.add({ key: { id: "A", remoteJid: "1@s.whatsapp.net" } });
  recent.add(message("A".repeat(101), "Hi"));
  await recent.close();
  expect(readdirSync(folder)).toEqual([]);
});
