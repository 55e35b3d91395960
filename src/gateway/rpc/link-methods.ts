import { refuse } from "../refusals.js";
import type { Caller } from "../types.js";
import type { Methods } from "./context.js";

/** What gateways that share a store ask of each other. */
export const linkMethods: Methods<"link"> = {
  async "link.deliver"({ session, messageId, mode, runId }, { gateway, permit }) {
    requireGateway(permit);
    const conversation = await gateway.runtime.open(session);
    const delivered = await conversation.adopt(messageId, mode);
    if (!delivered && runId !== undefined) void conversation.resume();
    return { delivered };
  },

  async "link.webhook"({ channel, account, headers, body }, { gateway, permit }) {
    requireGateway(permit);
    const request = { method: "POST", headers, body: Buffer.from(body, "base64") };
    const reply = await gateway.channels?.webhook(channel, account, request);
    if (reply === undefined) throw refuse("not_found", `there is no account ${channel}/${account} here`);
    return reply;
  },
};

function requireGateway({ isGateway }: Caller): void {
  if (isGateway !== true) throw refuse("forbidden", "only gateways that share a store use this method");
}
