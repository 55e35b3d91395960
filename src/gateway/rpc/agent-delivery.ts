import { DEFAULT_ACCOUNT } from "../../channels/accounts.js";
import { chatIdOf, chatOf } from "../../channels/chat.js";
import type { OpenClawMessage } from "../../core/types.js";
import type { Params } from "../../protocol/schema.js";
import { deliveryOf, sessionKeyOf } from "../channels/inbox/compose.js";
import { DEFAULT_CHANNEL } from "../inbound-message.js";
import { refuse } from "../refusals.js";
import type { AnsweringAccount, Gateway } from "../types.js";

/** Where a message of `agent` belongs, and how its answer is sent on the channel it came through. */
export interface AgentDelivery {
  /** Of the session. */
  key: string;
  /** For `ext.delivery`; undefined when the answer is not sent. */
  delivery?: ReturnType<typeof deliveryOf>;
  deliver?: AnsweringAccount["deliver"];
  /** Why the answer is not sent, though a channel was given. */
  why?: string;
}

/**
 * A message that names an account of this gateway is treated as if the platform had delivered it: the same session, the same
 * agent unless another is asked for, and the answer is sent there.
 */
export function deliveryFor(
  params: Pick<Params<"agent">, "message" | "channel" | "accountId" | "agent">,
  { channels: desk, runtime }: Pick<Gateway, "channels" | "runtime">,
): AgentDelivery {
  const { channel, accountId: account = DEFAULT_ACCOUNT, agent } = params;
  const message: OpenClawMessage = params.message;
  const place = chatOf(message);
  const from = { place, sender: { id: message.From } };
  if (channel === undefined) {
    return { key: sessionKeyOf(from, { channel: DEFAULT_CHANNEL, account, agent }) };
  }
  if (desk === undefined && runtime.config.channels !== undefined) {
    throw refuse("service_unavailable", "the channels are not connected yet");
  }
  const of = desk?.reception(channel, account);
  const answering = desk?.answering(channel, account);
  const reception = of === undefined ? undefined : { ...of, ...(agent === undefined ? {} : { agent }) };
  const key = sessionKeyOf(from, reception ?? { channel, account, agent });
  if (answering === undefined || reception === undefined) {
    const why = `this gateway is not connected to the account ${JSON.stringify(account)} of ${channel}`;
    return { key, why };
  }
  if (
    place.kind === "direct" &&
    answering.traits.directChatHasId === true &&
    chatIdOf(message) === undefined
  ) {
    return { key, why: `a direct chat of ${channel} has an id of its own: give it as ChatId or ChannelId` };
  }
  const { deliver } = answering;
  return { key, delivery: deliveryOf({ place, id: message.MessageId }, reception), deliver };
}
