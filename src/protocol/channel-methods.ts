import * as Type from "@sinclair/typebox";
import { count, oneOf, strict, text } from "./shared.js";

const optionalText = Type.Optional(text);

/** A chat platform on which accounts can be added. */
const channel = Type.Object({
  /** Its name in `config.json` and in session keys. */
  name: text,
  title: text,
  /** The account's setting that is a secret. Without one, an account is linked on a phone. */
  secret: optionalText,
});

const channelStatus = Type.Object({
  channel: text,
  account: text,
  state: oneOf(["connecting", "connected", "waiting", "stopped", "pairing"]),
  /** The account's identity on the platform, once connected. */
  me: Type.Optional(Type.Object({ id: text, name: optionalText })),
  why: optionalText,
  hint: optionalText,
  /** Stored messages without an answer. */
  waiting: count,
  /** Requests of answers that are not sent yet. */
  unsent: count,
  /** Requests that may or may not have arrived; they are not sent again. */
  unknown: count,
  /** Requests that the platform refused. */
  refused: count,
  /** Pairing codes that wait for approval. */
  pairing: count,
});

/** A person on a chat platform; the name is what the person chose, and unverified. */
const person = { channel: text, account: text, id: text, name: optionalText };

const pairingRequest = Type.Object({
  ...person,
  code: text,
  /** When the code was sent, and when it expires; Unix milliseconds. */
  since: Type.Number(),
  expires: Type.Number(),
});

const approvedPerson = Type.Object({ ...person, owner: Type.Boolean(), since: Type.Number() });

/** The accounts on chat platforms, and the people who may use them. */
export const channelMethods = {
  "channels.list": { params: strict({}), result: Type.Object({ channels: Type.Array(channel) }) },
  "channels.status": { params: strict({}), result: Type.Object({ channels: Type.Array(channelStatus) }) },
  "channels.people": {
    params: strict({}),
    result: Type.Object({
      /** People who wait for approval. */
      requests: Type.Array(pairingRequest),
      approved: Type.Array(approvedPerson),
    }),
  },
  "channels.approve": {
    params: strict({
      code: text,
      /** Whether the person may also use the owner's commands (default: false). */
      owner: Type.Optional(Type.Boolean()),
    }),
    result: approvedPerson,
  },
  "channels.revoke": {
    params: strict({ channel: text, account: text, id: text }),
    /** False if no approved or waiting person has this id. */
    result: Type.Object({ revoked: Type.Boolean() }),
  },
};
