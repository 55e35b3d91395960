import { readdirSync } from "node:fs";
import * as baileys from "baileys";
import { expect, test } from "vitest";
import { correspondentOf, messageNode, signalDevice } from "../../../test/fakes/signal-device.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { silent } from "./client.js";
import { Gate } from "./gate.js";

const ALICE = "15551234567@s.whatsapp.net";
const BOB = "15550000000@s.whatsapp.net";
const GROUP = "120363000000000001@g.us";

type Store = (message: baileys.WAMessage) => Promise<void>;

/** Bob's device, with a gate. */
async function device(folder: string, store: Store) {
  const { creds, keys } = await signalDevice(folder);
  creds.me = { id: BOB };
  const gate = new Gate(baileys, creds, store);
  return { gate, keys, signal: gate.makeSignalRepository({ creds, keys }, silent) };
}

/** Bob's folder, and what Alice writes to him, encrypted. */
async function correspondence() {
  const folder = temporaryFolder();
  const bob = await signalDevice(folder);
  await bob.auth.save();
  const alice = await correspondentOf(bob, BOB);
  return { folder, alice, ciphertext: await alice.encrypt("Hello") };
}

function nodeOf(ciphertext: Uint8Array, attrs: Record<string, string> = {}): baileys.BinaryNode {
  return messageNode(ciphertext, { from: ALICE, id: "A1", ...attrs });
}

test("a message is stored before the keys that decrypted it are", async () => {
  const { folder, ciphertext } = await correspondence();
  const files = () => readdirSync(folder).filter((name) => /^(session|pre-key)/.test(name));
  const seen: unknown[] = [];
  const bob = await device(folder, async ({ key, message }) => {
    seen.push(key.id, key.remoteJid, message?.conversation, files(), bob.keys.isInTransaction());
  });
  bob.gate.observe(nodeOf(ciphertext));
  await bob.signal.decryptMessage({ jid: ALICE, type: "pkmsg", ciphertext });
  expect(seen).toEqual(["A1", ALICE, "Hello", ["pre-key-1.json"], false]);
  expect(files()).toEqual(["session-15551234567.0.json"]);
});

test("what is done with a message is not part of the transaction, however long it takes", async () => {
  const { folder, ciphertext } = await correspondence();
  let later: Promise<boolean> | undefined;
  const bob = await device(folder, async () => {
    later = new Promise((resolve) => setImmediate(() => resolve(bob.keys.isInTransaction())));
  });
  bob.gate.observe(nodeOf(ciphertext));
  await bob.signal.decryptMessage({ jid: ALICE, type: "pkmsg", ciphertext });
  expect(await later).toBe(false);
});

test("a process that dies before it has stored a message can read it again", async () => {
  const { folder, ciphertext } = await correspondence();
  const died = await new Promise<string>((resolve) => {
    void device(folder, ({ key }) => {
      resolve(String(key.id));
      return new Promise(() => undefined);
    }).then((bob) => {
      bob.gate.observe(nodeOf(ciphertext));
      void bob.signal.decryptMessage({ jid: ALICE, type: "pkmsg", ciphertext });
    });
  });
  const stored: unknown[] = [];
  const again = await device(folder, async ({ message }) => void stored.push(message?.conversation));
  again.gate.observe(nodeOf(ciphertext));
  await again.signal.decryptMessage({ jid: ALICE, type: "pkmsg", ciphertext });
  expect([died, stored]).toEqual(["A1", ["Hello"]]);
});

test("what could not be stored was not decrypted, and can be later", async () => {
  const { folder, ciphertext } = await correspondence();
  let failures = 1;
  const bob = await device(folder, async () => {
    if (failures-- > 0) throw new Error("closed");
  });
  bob.gate.observe(nodeOf(ciphertext));
  const decrypted = () => bob.signal.decryptMessage({ jid: ALICE, type: "pkmsg", ciphertext });
  await expect(decrypted()).rejects.toThrow("closed");
  expect(baileys.proto.Message.decode(baileys.unpadRandomMax16(await decrypted())).conversation).toBe(
    "Hello",
  );
});

test("groups have keys of their own", async () => {
  const { alice } = await correspondence();
  const folder = temporaryFolder();
  const stored: unknown[] = [];
  const bob = await device(folder, async ({ key, message }) => {
    stored.push(key.remoteJid, key.participant, message?.conversation);
  });
  const { ciphertext, senderKeyDistributionMessage } = await alice.signal.encryptGroupMessage({
    group: GROUP,
    meId: ALICE,
    data: baileys.encodeWAMessage({ conversation: "Hello all" }),
  });
  await bob.signal.processSenderKeyDistributionMessage({
    authorJid: ALICE,
    item: { groupId: GROUP, axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage },
  });
  bob.gate.observe(nodeOf(ciphertext, { from: GROUP, participant: ALICE }));
  await bob.signal.decryptGroupMessage({ group: GROUP, authorJid: ALICE, msg: ciphertext });
  expect(stored).toEqual([GROUP, ALICE, "Hello all"]);
  expect(readdirSync(folder).some((name) => name.startsWith("sender-key-"))).toBe(true);
});

test("what Baileys decrypts for itself passes", async () => {
  const { folder, ciphertext } = await correspondence();
  const bob = await device(folder, () => Promise.reject(new Error("stored")));
  const bytes = await bob.signal.decryptMessage({ jid: ALICE, type: "pkmsg", ciphertext });
  expect(baileys.proto.Message.decode(baileys.unpadRandomMax16(bytes)).conversation).toBe("Hello");
});
