import { type Failure, failureIn } from "../../../core/message/failure.js";
import type { AgentMessage, AssistantMessage, ReplyPayload } from "../../../core/types.js";

/** What people see of a failure, by code prefix. Technical details are only in the log. */
const failures: readonly [code: string, words: string][] = [
  [
    "agent/length-limit",
    "I had to stop here because my answer got too long. Could you ask for a smaller part at a time?",
  ],
  [
    "agent/max-turns",
    "I stopped here because this took too many steps. Send me a message and I'll continue.",
  ],
  ["provider/context-overflow", "Our conversation has become too long for me to continue."],
  ["provider/", "Sorry, I can't answer right now because my model isn't available. Please try again later."],
  ["stream/", "Sorry, I can't answer right now because my model isn't responding. Please try again later."],
];
const SOME_FAILURE = "Sorry, something went wrong and I couldn't answer. Please try again.";

/** What people see of an answer without content. */
export const emptyAnswer: ReplyPayload = {
  text: "Sorry, I came up with an empty answer. Please ask again, perhaps in different words.",
  isError: true,
};

/**
 * What people see of a session message: its text, without thinking and tool calls. Undefined if there is nothing to see.
 */
export function payloadOf(message: AgentMessage): ReplyPayload | undefined {
  const failure = failureIn(message);
  if (message.role !== "assistant") return failure === undefined ? undefined : failurePayload(failure);
  const text = visibleText(message);
  if (failure !== undefined && text === "") return failurePayload(failure);
  switch (message.stopReason) {
    case "error":
      return { text: `${text}\n\n(Sorry, my answer was cut off here.)`, isError: true };
    case "length":
      return { text: `${text}\n\n(My answer got too long, so it ends here.)`.trimStart() };
    default:
      return text === "" ? undefined : { text };
  }
}

function failurePayload({ code = "" }: Failure): ReplyPayload | undefined {
  // This does not end the run; the answer follows.
  if (code === "agent/not-compacted") return undefined;
  const words = failures.find(([beginning]) => code.startsWith(beginning))?.[1] ?? SOME_FAILURE;
  return { text: words, isError: true };
}

/** An answer's text so far. */
export function visibleText({ content }: Pick<AssistantMessage, "content">): string {
  return content
    .flatMap((block) => (block.type === "text" ? block.text : []))
    .join("\n\n")
    .trim();
}
