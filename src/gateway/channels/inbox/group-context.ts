import { passedOnIn } from "../../../channels/passed-on.js";
import type { Inbound } from "../../../channels/types.js";
import type { Framing } from "../../../core/shown/inbound.js";
import type { Said } from "../../../core/shown/quote.js";

/** Of what was said in a group and not to us, so many characters are kept: of each message, and of all. */
const MOST_OF_ONE = 1000;
const MOST_OF_ALL = 16_000;
/** Messages of one place. */
const MOST_KEPT = 50;

/** As much of a message as is kept of it: who said it, and the beginning of the text. No file of it is ever fetched. */
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

/** The newest of them, as many as are kept. What is left out before the first of them is counted in it. */
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

/** What a group's message keeps of what was said before it. */
export function framingOf(before: readonly Inbound[]): Framing {
  const kept = newest(before.map((inbound) => ({ inbound: trimmedForContext(inbound) })));
  if (kept.length === 0) return {};
  const leftOut = numberOf(kept[0]?.inbound.message["LeftOut"]);
  return { before: kept.map(({ inbound }) => quotedIn(inbound)), ...(leftOut === 0 ? {} : { leftOut }) };
}

function quotedIn({ sender, message: { Text = "", TextCut } }: Inbound): Said {
  const cut = numberOf(TextCut);
  return { sender, text: Text, ...(cut === 0 ? {} : { cut }) };
}

/** Never half a character. */
function beginning(text: string, most: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.length <= most ? text : text.slice(0, end);
}

function numberOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
