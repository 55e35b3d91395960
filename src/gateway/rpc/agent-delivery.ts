import { DEFAULT_ACCOUNT } from "../../channels/accounts.js";
import { chatIdOf, chatOf } from "../../channels/chat.js";
import type { OpenClawMessage } from "../../core/types.js";
import type { Params } from "../../protocol/schema.js";
import { deliveryOf, sessionKeyOf } from "../channels/inbox/compose.js";
import { DEFAULT_CHANNEL } from "../inbound-message.js";
import { refuse } from "../refusals.js";
import type { AnsweringAccount, Gateway } from "../types.js";

/** The session of an `agent` message, and how its answer is sent to the channel it came from. */
export interface AgentDelivery {
  /** The session's key. */
  key: string;
  /** For `ext.delivery`; undefined if the answer is not sent. */
  delivery?: ReturnType<typeof deliveryOf>;
  deliver?: AnsweringAccount["deliver"];
  /** Why the answer is not sent to the given channel. */
  why?: string;
}

/**
 * A message that names an account of this gateway is treated as if it came from the platform: same session, same agent (unless
 * it names another), and the answer is sent there.
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
    const why = `this gateway is not connected to the ${channel} account ${JSON.stringify(account)}`;
    return { key, why };
  }
  if (
    place.kind === "direct" &&
    answering.traits.directChatHasId === true &&
    chatIdOf(message) === undefined
  ) {
    return { key, why: `a direct chat on ${channel} has its own id: pass it as ChatId or ChannelId` };
  }
  const { deliver } = answering;
  return { key, delivery: deliveryOf({ place, id: message.MessageId }, reception), deliver };
}
