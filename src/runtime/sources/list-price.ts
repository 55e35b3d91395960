import { isPriceUnknown } from "../../core/message/usage.js";
import type { AgentMessage } from "../../core/types.js";
import { cardOf, priceWith } from "../../providers/catalogue.js";

const COSTS = ["/usage/cost", "/usage/cost/total"];

/** An answer with the list price of its tokens, if its program recorded tokens but no cost and the price is known. */
export function withListPrice(message: AgentMessage): AgentMessage {
  if (message.role !== "assistant" || !isPriceUnknown(message)) return message;
  const { provider, model, usage, ext = {} } = message;
  const card = cardOf(provider, model);
  const { synthesised = [] } = ext;
  if (card.prices === undefined || synthesised.includes("/usage")) return message;
  return {
    ...message,
    usage: { ...usage, cost: priceWith(card, usage).cost },
    ext: { ...ext, synthesised: synthesised.filter((pointer) => !COSTS.includes(pointer)) },
  };
}
