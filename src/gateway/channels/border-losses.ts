import { passedOnIn } from "../../channels/passed-on.js";
import type { Attachment, Channel, Inbound } from "../../channels/types.js";
import type { AgentMessage, Loss } from "../../core/types.js";
import { markdownLosses } from "../../markdown/index.js";

/** A message's file that could not be kept. */
export function lostFile({ kind }: Attachment, why: string): Loss {
  return { at: "/attachments", what: `a file (${kind})`, why, severity: "dropped" };
}

/** The number of an album's files that did not arrive. */
export function missingCount({ albumSize = 0, attachments }: Inbound): number {
  return Math.max(albumSize - attachments.length, 0);
}

/** A message its author deleted or emptied after the agent got it. */
export function withdrawnMessage({ edits }: Inbound): Loss {
  const why = "the agent already received the message, and the session keeps it";
  const what = `the author's deletion of message ${edits}`;
  return { at: "/edits", what, why, severity: "dropped" };
}

/** Content of platform messages that is unsupported or never arrived. */
export function lostContent(messages: readonly Inbound[]): Loss[] {
  return messages.flatMap((inbound) => [...missingFrom(inbound), ...unsupportedIn(inbound)]);
}

function missingFrom(inbound: Inbound): Loss[] {
  const count = missingCount(inbound);
  if (count === 0) return [];
  const what = `${count} of the ${inbound.albumSize} files of an album`;
  return [{ at: "/attachments", what, why: "they did not arrive with the others", severity: "dropped" }];
}

function unsupportedIn({ message, attachments }: Inbound): Loss[] {
  return passedOnIn(message).flatMap(({ kind, text }, index): Loss[] => {
    if (text !== "" || attachments.length > 0) return [];
    const why = "this kind of message is not supported; only its name is kept";
    const what = `the content of a message of kind "${kind}"`;
    return [{ at: `/PassedOn/${index}`, what, why, severity: "dropped" }];
  });
}

/** The parts of an answer that a platform does not show. Thinking and tool calls are left out on purpose and do not count. */
export function lostInAnswer(message: AgentMessage, text: string, { style }: Pick<Channel, "style">): Loss[] {
  const blocks = message.role === "assistant" ? message.content : [];
  const files = blocks.flatMap(({ type }, index): Loss[] => {
    if (type !== "image" && type !== "audio" && type !== "file") return [];
    const why = "channels send only files from the agent's workspace";
    return [{ at: `/content/${index}`, what: `a block of type ${type}`, why, severity: "dropped" }];
  });
  return [...files, ...(style === undefined ? [] : markdownLosses(text, style))];
}
