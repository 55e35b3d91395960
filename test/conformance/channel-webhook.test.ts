import type { Channel, Transport } from "../../src/channels/types.js";
import { webhook } from "../../src/channels/webhook/index.js";
import type { Settings } from "../../src/channels/webhook/settings.js";
import { signatureHeaders } from "../../src/channels/webhook/signature.js";
import type { WebhookOutput } from "../../src/channels/webhook/wire.js";
import { webhookReceiver } from "../fakes/webhook-receiver.js";
import { describeChannel, type Platform } from "./channels.js";

const SECRET = "0123456789abcdef0123456789abcdef";

let opened: Transport<WebhookOutput> | undefined;

/** The channel, with its transport where the other side can reach it, as the gateway does it. */
const reachable: Channel<Settings, WebhookOutput> = {
  ...webhook,
  open: async (options) => {
    opened = await webhook.open(options);
    return opened;
  },
};

async function openFake(): Promise<Platform<Settings>> {
  const receiver = await webhookReceiver();
  const me = { id: new URL(receiver.url).host };
  let messages = 0;
  receiver.refuses = (body) => body.includes("nobody");
  return {
    settings: { secret: SECRET, url: receiver.url },
    secrets: [SECRET],
    me,
    person: { id: "ann", name: "Ann" },
    direct: { kind: "direct", chat: "ann" },
    nowhere: { kind: "direct", chat: "nobody" },
    says: async (Text, file) => {
      const MessageId = String(++messages);
      const picture = file && `data:image/png;base64,${Buffer.from(file).toString("base64")}`;
      const message = { From: "ann", To: me.id, ChatType: "direct", MessageId, Text, SenderName: "Ann" };
      await deliver({
        ...message,
        ...(picture === undefined ? {} : { MediaUrl: picture, MediaType: "image" }),
      });
      return MessageId;
    },
    said: async () => receiver.taken().flatMap((body) => JSON.parse(body).payload.text ?? []),
    failNext: (fault) =>
      receiver.answers.push((response) => {
        if (fault === "too-many") response.writeHead(429, { "retry-after": "3" }).end();
        else response.destroy();
      }),
    stop: receiver.stop,
    close: receiver.stop,
  };
}

/** Posts until it is taken, as the other side has to, or until nobody is there. */
async function deliver(message: object): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const headers = signatureHeaders(SECRET, body, Date.now());
  const reply = await opened?.webhook?.({ method: "POST", headers, body }).catch(() => undefined);
  if (reply === undefined) await deliver(message);
}

describeChannel(reachable, openFake, {
  keeps: "the other side keeps what was not taken",
  edits: "what was posted stays as it is",
  types: "there is no such sign",
  lost: "a request has a key, so that it may be sent again",
  stop: "it is not connected, and only what is sent notices",
});
