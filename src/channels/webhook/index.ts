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
  options: { url: { value: "URL", summary: "the URL that answers are posted to" } },
  examples: ["dragoman channels add webhook --url https://crm.example.com/answers"],
  nativeForm: "a message as posted to the webhook",
  normalise: normaliseWebhook,
  outgoing,
  whoami: verify,
  reachedBy: (account) =>
    `POST to /channels/webhook/${account} on the gateway, signed as described in docs/spec/webhook-channel.md`,
  warnings,
  open,
};

function warnings({ url }: Settings) {
  if (url === undefined || !URL.canParse(url) || isPrivate(new URL(url))) return [];
  return [{ message: "answers are posted signed but not encrypted", fix: "use an https:// URL" }];
}

/** Encrypted, or on this computer. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
