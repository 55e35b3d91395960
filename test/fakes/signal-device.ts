import * as baileys from "baileys";
import { openAuth } from "../../src/channels/whatsapp/auth.js";
import { silent } from "../../src/channels/whatsapp/client.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { valuesIn } from "../support/values-in.js";

/** The keys of a device of WhatsApp, in a folder, and what encrypts with them. */
export async function signalDevice(folder: string) {
  const auth = await openAuth(baileys, valuesIn(folder));
  const { creds } = auth.state;
  const keys = baileys.addTransactionCapability(auth.state.keys, silent, {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 0,
  });
  const { makeSignalRepository } = baileys.DEFAULT_CONNECTION_CONFIG;
  return { auth, creds, keys, signal: makeSignalRepository({ creds, keys }, silent) };
}

type Device = Awaited<ReturnType<typeof signalDevice>>;

/** What one has to know of a device to write to it; it has another key for it each time. */
export async function invitationOf({ creds, keys }: Device, keyId = 1) {
  const preKey = baileys.Curve.generateKeyPair();
  await keys.set({ "pre-key": { [keyId]: preKey } });
  const publicKey = (pair: { public: Uint8Array }) => baileys.generateSignalPubKey(pair.public);
  const { signedIdentityKey, signedPreKey, registrationId } = creds;
  return {
    registrationId,
    identityKey: publicKey(signedIdentityKey),
    signedPreKey: {
      keyId: signedPreKey.keyId,
      publicKey: publicKey(signedPreKey.keyPair),
      signature: signedPreKey.signature,
    },
    preKey: { keyId, publicKey: publicKey(preKey) },
  };
}

/** Somebody who can write to the device. */
export async function correspondentOf(device: Device, jid: string, keyId = 1) {
  const somebody = await signalDevice(temporaryFolder());
  await somebody.signal.injectE2ESession({ jid, session: await invitationOf(device, keyId) });
  const encrypt = async (said: string | baileys.proto.IMessage) => {
    const data = baileys.encodeWAMessage(typeof said === "string" ? { conversation: said } : said);
    return (await somebody.signal.encryptMessage({ jid, data })).ciphertext;
  };
  return { ...somebody, encrypt };
}

/** As it comes over the socket. */
export function messageNode(ciphertext: Uint8Array, attrs: Record<string, string>): baileys.BinaryNode {
  const enc = { tag: "enc", attrs: { type: "pkmsg", v: "2" }, content: ciphertext };
  return { tag: "message", attrs: { t: "1234567890", ...attrs }, content: [enc] };
}
