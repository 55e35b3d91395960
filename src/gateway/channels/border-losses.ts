import { passedOnIn } from "../../channels/passed-on.js";
import type { Attachment, Channel, Inbound } from "../../channels/types.js";
import type { AgentMessage, Loss } from "../../core/types.js";
import { markdownLosses } from "../../markdown/index.js";

/** A file of a message that is not kept, and why. */
export function lostFile({ kind }: Attachment, why: string): Loss {
  return { at: "/attachments", what: `a file (${kind})`, why, severity: "dropped" };
}

/** The number of files of an album that did not come with it. */
export function missingCount({ albumSize = 0, attachments }: Inbound): number {
  return Math.max(albumSize - attachments.length, 0);
}

/** A message that its author has deleted or emptied too late. */
export function withdrawnMessage({ edits }: Inbound): Loss {
  const why = "the agent was told of it before, and the session keeps it";
  const what = `message ${edits} was deleted or emptied by its author`;
  return { at: "/edits", what, why, severity: "dropped" };
}

/** What messages of a platform hold of which only the name is kept, and what of them never came. */
export function lostContent(messages: readonly Inbound[]): Loss[] {
  return messages.flatMap((inbound) => [...missingFrom(inbound), ...unsupportedIn(inbound)]);
}

function missingFrom(inbound: Inbound): Loss[] {
  const count = missingCount(inbound);
  if (count === 0) return [];
  const what = `${count} of the ${inbound.albumSize} files of an album`;
  return [{ at: "/attachments", what, why: "they did not arrive with it", severity: "dropped" }];
}

function unsupportedIn({ message, attachments }: Inbound): Loss[] {
  return passedOnIn(message).flatMap(({ kind, text }, index): Loss[] => {
    if (text !== "" || attachments.length > 0) return [];
    const why = "its kind is not supported, and only its name is kept";
    const what = `what is in a message of the kind "${kind}"`;
    return [{ at: `/PassedOn/${index}`, what, why, severity: "dropped" }];
  });
}

/** What of an answer people on a platform do not see. Thinking and tools are not for them, and are not missed. */
export function lostInAnswer(message: AgentMessage, text: string, { style }: Pick<Channel, "style">): Loss[] {
  const blocks = message.role === "assistant" ? message.content : [];
  const files = blocks.flatMap(({ type }, index): Loss[] => {
    if (type !== "image" && type !== "audio" && type !== "file") return [];
    const why = "only files of the agent's workspace are sent on a channel";
    return [{ at: `/content/${index}`, what: `a block of the type ${type}`, why, severity: "dropped" }];
  });
  return [...files, ...(style === undefined ? [] : markdownLosses(text, style))];
}
