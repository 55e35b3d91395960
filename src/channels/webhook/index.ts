import type { WebhookSettings } from "../settings.js";
import type { Channel } from "../types.js";
import { outgoing } from "./outgoing.js";
import { MOST_BYTES, open } from "./transport.js";
import type { WebhookOutput } from "./wire.js";

export const webhook: Channel<WebhookSettings, WebhookOutput> = {
  name: "webhook",
  title: "Webhook",
  traits: { debounceMs: 0, mostBytes: MOST_BYTES, mostSentBytes: MOST_BYTES, repeatable: true },
  outgoing,
  open,
};
