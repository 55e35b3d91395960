import { passedOnIn } from "../../../channels/passed-on.js";
import type { Inbound } from "../../../channels/types.js";
import type { InboundFraming } from "../../../core/shown/inbound.js";
import type { GroupMessage } from "../../../core/shown/quote.js";

/** Characters kept of group messages that are not for the bot: of each, and of all. */
const MOST_OF_ONE = 1000;
const MOST_OF_ALL = 16_000;
/** Messages kept per chat. */
const MOST_KEPT = 50;

/** The part of a message kept as context: its sender and the beginning of its text. Its files are never downloaded. */
export function trimmedForContext(inbound: Inbound): Inbound {
  const { message, sender, attachments } = inbound;
  const { From, To, ChatType, Text = "", TextCut, LeftOut } = message;
  const passedOn = passedOnIn(message).map(({ kind, text }) => `[${kind}] ${text}`.trimEnd());
  const files = attachments.map(({ kind }) => `[${kind}]`);
  const whole = [...(Text === "" ? [] : [Text]), ...passedOn, ...files].join(" ");
  const text = beginning(whole, MOST_OF_ONE);
  const cut = whole.length - text.length + numberOf(TextCut);
  return {
    ...inbound,
    sender: { id: sender.id, ...(sender.name === undefined ? {} : { name: beginning(sender.name, 200) }) },
    message: {
      ...{ From, To, ChatType, Text: text },
      ...(cut === 0 ? {} : { TextCut: cut }),
      ...(LeftOut === undefined ? {} : { LeftOut }),
    },
    attachments: [],
  };
}

/** The newest messages within the limits. The first one counts those left out before it. */
export function newest<T extends { inbound: Inbound }>(all: readonly T[]): T[] {
  let length = 0;
  const from = all.findLastIndex(({ inbound: { message } }, index) => {
    length += message.Text?.length ?? 0;
    return all.length - index > MOST_KEPT || length > MOST_OF_ALL;
  });
  const [first, ...rest] = all.slice(from + 1);
  if (from < 0 || first === undefined) return [...all];
  const leftOut = all
    .slice(0, from + 2)
    .reduce((sum, { inbound }) => sum + numberOf(inbound.message["LeftOut"]), from + 1);
  const { inbound } = first;
  return [{ ...first, inbound: { ...inbound, message: { ...inbound.message, LeftOut: leftOut } } }, ...rest];
}

/** The earlier messages shown with a group's message. */
export function framingOf(before: readonly Inbound[]): InboundFraming {
  const kept = newest(before.map((inbound) => ({ inbound: trimmedForContext(inbound) })));
  if (kept.length === 0) return {};
  const leftOut = numberOf(kept[0]?.inbound.message["LeftOut"]);
  return { before: kept.map(({ inbound }) => quotedIn(inbound)), ...(leftOut === 0 ? {} : { leftOut }) };
}

function quotedIn({ sender, message: { Text = "", TextCut } }: Inbound): GroupMessage {
  const cut = numberOf(TextCut);
  return { sender, text: Text, ...(cut === 0 ? {} : { cut }) };
}

/** Does not split surrogate pairs. */
function beginning(text: string, most: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.length <= most ? text : text.slice(0, end);
}

function numberOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
