import * as Type from "@sinclair/typebox";
import { ref } from "../core/schema/build.js";
import { AgentMessage, Loss } from "../core/schema/index.js";
import { count, oneOf, optional, strict, text } from "./shared.js";

const sessionKey = text;

/** What was added to another program's session. */
const added = Type.Array(
  Type.Object({
    message: ref(AgentMessage),
    /** Its blocks follow those of the last message, which was not complete. */
    continues: Type.Boolean(),
  }),
);

/** The kinds of losses and how often they occurred, the worst first; at most 50. */
const lossKinds = Type.Array(
  Type.Object({
    severity: oneOf(["dropped", "approximated", "synthesised"]),
    what: text,
    why: text,
    count,
  }),
);

/** Sessions in other formats and of other programs. */
export const transferMethods = {
  "sessions.export": {
    /** Default: the dialect in which the session is stored, unchanged. */
    params: strict({ sessionKey, source: optional.text, dialect: optional.text }),
    result: Type.Object({ dialect: text, text, losses: Type.Array(ref(Loss)), kinds: lossKinds }),
  },
  "sessions.continue": {
    params: strict({
      sessionKey,
      source: optional.text,
      /** A name of `programs.list`. */
      program: text,
      /** The folder to continue in, as an absolute path (default: the one that the session records, if it exists). */
      folder: optional.text,
      /** Nothing is written. */
      dryRun: optional.boolean,
    }),
    result: Type.Object({
      /** The new session's id in the program; empty if nothing was written and it is not known before. */
      session: text,
      /** The file that was written, or would be. */
      path: optional.text,
      messages: count,
      folder: optional.text,
      /** The folder that the session records, if it does not exist on the gateway's computer. */
      missing: optional.text,
      /** A line for a shell that opens the session in the program. */
      command: text,
      losses: lossKinds,
    }),
  },
  "tail.open": {
    /** Of another program's session, the last messages (default: 100). */
    params: strict({
      sessionKey,
      source: optional.text,
      last: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    result: Type.Object({ tail: text, messages: added }),
  },
  "tail.next": {
    /** Waits until the program has written more, or for `timeoutMs` (default: 30 seconds). */
    params: strict({ tail: text, timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })) }),
    result: Type.Object({ messages: added }),
  },
  "tail.close": { params: strict({ tail: text }), result: Type.Object({ closed: Type.Boolean() }) },
};
