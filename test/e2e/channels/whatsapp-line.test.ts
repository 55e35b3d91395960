import { join } from "node:path";
import * as baileys from "baileys";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Inbound } from "../../../src/channels/types.js";
import { Device, type DeviceOptions } from "../../../src/channels/whatsapp/device.js";
import { Identities } from "../../../src/channels/whatsapp/identities.js";
import { RecentMessages } from "../../../src/channels/whatsapp/recent-messages.js";
import { correspondentOf, messageNode, signalDevice } from "../../fakes/signal-device.js";
import { WhatsAppFake } from "../../fakes/whatsapp.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { valuesIn } from "../../support/values-in.js";

const JOHN = "15551234567@s.whatsapp.net";
let fake: WhatsAppFake;
let folder: string;

beforeEach(async () => {
  fake = await WhatsAppFake.start();
  folder = temporaryFolder();
  fake.linkDevice(folder);
  return () => fake.close();
});

/** A connected line. What crabline cannot say is put into the mouth of its socket. */
async function openLine(options: Partial<DeviceOptions> = {}) {
  const device = await signalDevice(join(folder, "keys"));
  const states: string[] = [];
  const watchers = new Set<() => void>();
  const line = new Device({
    baileys,
    auth: device.auth,
    recent: await RecentMessages.open(baileys, valuesIn(join(folder, "messages"))),
    identities: await Identities.open(baileys, valuesIn(join(folder, "people")), device.auth.state.keys),
    socketUrl: fake.socketUrl,
    phone: undefined,
    receive: async () => undefined,
    onUnread: () => undefined,
    onState: (state) => {
      states.push(
        [state.state, "why" in state ? state.why : "code" in state ? state.code : []].flat().join(": "),
      );
      for (const watcher of [...watchers]) watcher();
    },
    now: Date.now,
    ...options,
  });
  onTestFinished(() => line.close());
  const untilStates = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => states.length >= count && resolve();
      watchers.add(look);
      look();
    });
  await untilStates(2);
  const hear = (event: string, node: baileys.BinaryNode) => line.connection?.socket.ws.emit(event, node);
  return { device, line, states, untilStates, hear };
}

function ended(tag: string, attrs: Record<string, string>, content: baileys.BinaryNode[] = []) {
  return { tag, attrs, content };
}

test("WhatsApp is told of an encrypted message when it is stored, and not before", async () => {
  const stored: { inbound: Inbound; receipts: string[] }[] = [];
  let failures = 1;
  const receive = async (inbound: Inbound) => {
    stored.push({ inbound, receipts: [...fake.receipts] });
    if (failures-- > 0) throw new Error("the disk is full");
  };
  const { device, states, hear } = await openLine({ receive });
  const john = await correspondentOf(device, fake.manifest.selfJid);
  hear("CB:message", messageNode(await john.encrypt("Hello"), { from: JOHN, id: "A1", notify: "John" }));
  await fake.until(() => fake.receipts.includes("A1"));
  expect(stored.map(({ inbound, receipts }) => [inbound.id, inbound.message.Text, receipts])).toEqual([
    ["A1", "Hello", []],
    ["A1", "Hello", []],
  ]);
  expect(states).toEqual([
    "connecting",
    "connected",
    "waiting: could not store a message: the disk is full",
    "connected",
  ]);
});

test("what is not stored when it is closed was not received, and comes again", async () => {
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const first = await openLine({
    receive: async () => {
      arrived();
      throw new Error("the disk is full");
    },
  });
  const john = await correspondentOf(first.device, fake.manifest.selfJid);
  const node = messageNode(await john.encrypt("Hello"), { from: JOHN, id: "A1" });
  first.hear("CB:message", node);
  await arrival;
  await first.line.close();
  expect(fake.receipts).toEqual([]);

  const texts: unknown[] = [];
  const again = await openLine({ receive: async ({ message }) => void texts.push(message.Text) });
  again.hear("CB:message", node);
  await fake.until(() => fake.receipts.includes("A1"));
  expect(texts).toEqual(["Hello"]);
});

test("a device that is not linked shows its code", async () => {
  const { states, line } = await openLine();
  line.connection?.socket.ev.emit("connection.update", { qr: "2@one" });
  line.connection?.socket.ev.emit("connection.update", { qr: "2@two" });
  expect(states.slice(2)).toEqual(["pairing: 2@one", "pairing: 2@two"]);
});

test("with a number, it shows one to type", async () => {
  const { states, untilStates, line } = await openLine({ phone: "15550000000" });
  line.connection?.socket.ev.emit("connection.update", { qr: "2@one" });
  line.connection?.socket.ev.emit("connection.update", { qr: "2@two" });
  await untilStates(3);
  expect(states.slice(2).map((state) => /^pairing: [0-9A-Z]{8}$/.test(state))).toEqual([true]);
});

test("when WhatsApp wants it to begin anew, it does so at once", async () => {
  const { states, untilStates, hear } = await openLine();
  hear("CB:stream:error", ended("stream:error", { code: "515" }));
  await untilStates(4);
  expect(states).toEqual(["connecting", "connected", "connecting", "connected"]);
});

test("when the phone has unlinked it, it stops", async () => {
  const { states, untilStates, hear, line } = await openLine();
  hear("CB:failure", ended("failure", { reason: "401" }));
  await untilStates(3);
  expect(states.slice(2)).toEqual(["stopped: this device was unlinked on the phone"]);
  expect(line.connection).toBeUndefined();
});

test("when another program took its place, it leaves it there", async () => {
  const { states, untilStates, hear } = await openLine();
  const conflict = { tag: "conflict", attrs: { type: "replaced" } };
  hear("CB:stream:error", ended("stream:error", {}, [conflict]));
  await untilStates(3);
  expect(states.slice(2)).toEqual(["stopped: another program connected with this device's keys"]);
});

/** A line, and somebody who says things to it one after the other. */
async function talk() {
  const stored: Inbound[] = [];
  const { device, line, hear } = await openLine({ receive: async (inbound) => void stored.push(inbound) });
  const john = await correspondentOf(device, fake.manifest.selfJid);
  const says = async (
    said: string | baileys.proto.IMessage,
    attrs: Record<string, string> & { id: string },
  ) => {
    hear("CB:message", messageNode(await john.encrypt(said), { notify: "John", ...attrs }));
    await fake.until(() => fake.receipts.includes(attrs.id));
  };
  return { says, stored, line };
}

const LID = "77001122334455@lid";

test("a person is the same by number and by the id that hides it", async () => {
  const { says, stored, line } = await talk();
  await says("with both", { from: LID, sender_pn: JOHN, id: "B1" });
  await says("with the hidden one", { from: LID, id: "B2" });
  await says("with the number", { from: JOHN, id: "B3" });
  const john = { id: JOHN, otherIds: [LID], name: "John" };
  expect(stored.map(({ message, place, sender }) => [message.Text, place.chat, sender])).toEqual([
    ["with both", JOHN, john],
    ["with the hidden one", JOHN, john],
    ["with the number", JOHN, john],
  ]);
  await line.close();
});

test("who talked before the number was known keeps the conversation, also after a restart", async () => {
  const first = await talk();
  await first.says("who am I?", { from: LID, id: "C1" });
  await first.line.close();
  const { says, stored } = await talk();
  await says("I have a number", { from: LID, sender_pn: JOHN, id: "C2" });
  await says("I still do", { from: JOHN, id: "C3" });
  expect(
    [...first.stored, ...stored].map(({ place, sender }) => [place.chat, sender.id, sender.otherIds]),
  ).toEqual([
    [LID, LID, undefined],
    [LID, LID, [JOHN]],
    [LID, LID, [JOHN]],
  ]);
});

test("the pictures of an album belong together, and answer what the album answers", async () => {
  const { says, stored } = await talk();
  const quoted = {
    stanzaId: "Q1",
    participant: fake.manifest.selfJid,
    quotedMessage: { conversation: "Show me" },
  };
  await says(
    { albumMessage: { expectedImageCount: 1, expectedVideoCount: 1, contextInfo: quoted } },
    { from: JOHN, id: "D1" },
  );
  const messageContextInfo = {
    messageAssociation: {
      associationType: baileys.proto.MessageAssociation.AssociationType.MEDIA_ALBUM,
      parentMessageKey: { remoteJid: JOHN, fromMe: true, id: "D1" },
    },
  };
  const file = { mimetype: "image/jpeg", url: "https://mmg.whatsapp.net/x", mediaKey: new Uint8Array(32) };
  await says({ imageMessage: { ...file, caption: "Look" }, messageContextInfo }, { from: JOHN, id: "D2" });
  const inner = { videoMessage: { ...file, mimetype: "video/mp4" }, messageContextInfo };
  await says({ associatedChildMessage: { message: inner } }, { from: JOHN, id: "D3" });
  expect(
    stored.map(({ id, album, albumSize, attachments, message }) => ({
      ...{ id, album, albumSize, kind: attachments[0]?.kind },
      ...{ text: message.Text, answers: [message.ReplyToId, message["ReplyToText"]] },
    })),
  ).toEqual([
    { id: "D2", album: "D1", albumSize: 2, kind: "image", text: "Look", answers: ["Q1", "Show me"] },
    { id: "D3", album: "D1", albumSize: 2, kind: "video", text: undefined, answers: ["Q1", "Show me"] },
  ]);
});
