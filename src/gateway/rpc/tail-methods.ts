import { readableSessions } from "../readable-sessions.js";
import { refuse } from "../refusals.js";
import type { Methods } from "./context.js";
import { foundIn, summaryNamed } from "./stored-transcript.js";

const FIRST_MESSAGES = 100;
const WAIT_MS = 30_000;

export const tailMethods: Methods<"tail"> = {
  async "tail.open"({ sessionKey, source, last = FIRST_MESSAGES }, context) {
    const { gateway, permit, tails } = context;
    const session =
      source === undefined
        ? await summaryNamed(gateway.runtime, sessionKey, permit)
        : await foundIn(source, sessionKey, context);
    if (!session.foreign) {
      throw refuse("invalid_request", "follow the gateway's own sessions with chat.subscribe");
    }
    const { dialect } = await readableSessions(gateway, permit).bytesOf(session);
    return tails.open(session, dialect, last);
  },

  async "tail.next"({ tail, timeoutMs = WAIT_MS }, { tails, signal }) {
    return { messages: await tails.next(tail, timeoutMs, signal) };
  },

  async "tail.close"({ tail }, { tails }) {
    return { closed: tails.end(tail) };
  },
};
