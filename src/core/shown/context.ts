import type { Context } from "../api/provider.js";
import type { ShownMessage } from "./conversation.js";

/** What a model is shown of a log. The log has validated each message, and `showConversation` has selected them. */
export interface ShownContext extends Context {
  messages: readonly ShownMessage[];
}

/** Not a field of the context, so that a parsed or copied one is never marked. */
const shown = new WeakSet<object>();

/** Lets a provider connection skip validating and selecting the messages again. */
export function markShown(context: ShownContext): ShownContext {
  shown.add(context);
  return context;
}

export function isShown(context: object): context is ShownContext {
  return shown.has(context);
}
