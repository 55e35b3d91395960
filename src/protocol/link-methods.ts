import * as Type from "@sinclair/typebox";
import { count, oneOf, strict, text } from "./shared.js";

/** Methods that only gateways call that share a store; other clients are refused. */
export const linkMethods = {
  /** A message that the caller has stored is for the run that the session's owner has in progress. */
  "link.deliver": {
    params: strict({
      session: text,
      messageId: text,
      mode: oneOf(["steer", "followup", "collect", "interrupt"]),
      /** The run that it starts there if none is in progress: no other gateway runs the session. */
      runId: Type.Optional(text),
    }),
    /** False if there is no such run: then the message is answered like any other that was stored. */
    result: Type.Object({ delivered: Type.Boolean() }),
  },
  /** A chat platform's request, for the gateway that is connected as the account. */
  "link.webhook": {
    params: strict({
      channel: text,
      account: text,
      headers: Type.Record(Type.String(), text),
      /** In base64. */
      body: text,
    }),
    result: Type.Object({ status: count, json: Type.Optional(Type.Unknown()) }),
  },
};
