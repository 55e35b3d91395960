import type { Context } from "../api/provider.js";
import type { Message } from "../types.js";

/** What a model is shown of a log. The log has checked each message, and `showConversation` has chosen them. */
export interface ShownContext extends Context {
  messages: readonly Message[];
}

/** Beside the contexts and not in them: one that a caller has parsed or copied is never among these. */
const shown = new WeakSet<object>();

/** Spares a connection to check the messages and to choose them again. */
export function markShown(context: ShownContext): ShownContext {
  shown.add(context);
  return context;
}

export function isShown(context: object): context is ShownContext {
  return shown.has(context);
}
