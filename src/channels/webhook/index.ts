import type { Channel } from "../types.js";
import { normaliseWebhook } from "./normalise.js";
import { outgoing } from "./outgoing.js";
import type { Settings } from "./settings.js";
import { MOST_BYTES, open } from "./transport.js";
import { verify } from "./verify.js";
import type { WebhookOutput } from "./wire.js";

export const webhook: Channel<Settings, WebhookOutput> = {
  title: "Webhook",
  traits: { debounceMs: 0, mostBytes: MOST_BYTES, mostSentBytes: MOST_BYTES, repeatable: true },
  secret: "secret",
  packages: [],
  options: { url: { value: "URL", summary: "where answers are posted" } },
  examples: ["dragoman channels add webhook --url https://crm.example.com/answers"],
  nativeForm: "what is posted to it",
  normalise: normaliseWebhook,
  outgoing,
  whoami: verify,
  reachedBy: (account) =>
    `POST /channels/webhook/${account} there, signed as docs/spec/webhook-channel.md says`,
  warnings,
  open,
};

function warnings({ url }: Settings) {
  if (url === undefined || !URL.canParse(url) || isPrivate(new URL(url))) return [];
  return [{ message: "what it posts is signed, but not encrypted", fix: "use an address of https" }];
}

/** Encrypted, or not leaving this computer. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
