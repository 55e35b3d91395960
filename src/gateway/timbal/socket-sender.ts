import { includesScope } from "../auth/scope.js";
import { refusalOf, scopeNeeded } from "../refusals.js";
import type { ClientSocket } from "../types.js";
import type { SetFrame } from "./connection.js";
import { timbalReason } from "./reasons.js";
import { deleteNotice, type SendingWorld, sendToThread } from "./sending.js";
import { readValue } from "./sent-message.js";

/** Sends a client's frame to a thread; `stream` names it on a multiplexed connection. */
type Send = (thread: string, frame: SetFrame, stream?: string) => void;

/**
 * Accepts a client's set frames, one after another, and replies to each:
 *
 *     {"c":"accepted","i":"01J…","messageId":"01J…"}
 *     {"c":"error","i":"01J…","code":"invalid_request","message":"content must be a text","details":{…}}
 */
export function socketSender(world: SendingWorld, socket: ClientSocket): Send {
  const permit = socket.caller;
  let before = Promise.resolve();
  return (thread, { i, v }, s) => {
    const reply = (fields: object) => socket.send(JSON.stringify({ s, ...fields }));
    const accept = async () => {
      if (!includesScope(permit.scope, "chat")) throw scopeNeeded("chat");
      if (v === null) return deleteNotice(world, { id: thread, permit }, i);
      return sendToThread(world, { id: thread, permit }, readValue(v), { key: i, replaces: true });
    };
    before = before.then(accept).then(
      ({ messageId }) => reply({ c: "accepted", i, messageId }),
      (error) => {
        const refusal = refusalOf(error);
        const { message, details } = refusal;
        const code = timbalReason(refusal);
        if (code === "server_error") {
          world.gateway.logger.error({ thread, err: error }, "a message could not be accepted");
        }
        reply({ c: "error", i, code, message, details });
      },
    );
  };
}
