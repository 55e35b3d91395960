import { type Failure, failureIn } from "../../../core/message/failure.js";
import type { AgentMessage, AssistantMessage, ReplyPayload } from "../../../core/types.js";

/** What people are told of a failure, by the beginning of its code. What went wrong inside is for the log. */
const failures: readonly [code: string, words: string][] = [
  [
    "agent/length-limit",
    "I stopped here, because what I had to write is too long for me. Ask me for less at once.",
  ],
  ["agent/max-turns", "I stopped here, because this took too many steps. Write to me to go on."],
  ["provider/context-overflow", "This conversation has become too long for me to go on."],
  ["provider/", "I cannot answer at the moment, because my model cannot be used. Please try again later."],
  ["stream/", "I cannot answer at the moment, because my model does not answer. Please try again later."],
];
const SOME_FAILURE = "Something went wrong, and I could not answer. Please try again.";

/** What people are told when an answer has nothing to show. */
export const emptyAnswer: ReplyPayload = {
  text: "My model's answer was empty. Please ask again, or in other words.",
  isError: true,
};

/**
 * What people see of a message of the session: its words. Thinking and tools are not for them. Undefined when there is nothing
 * to see.
 */
export function payloadOf(message: AgentMessage): ReplyPayload | undefined {
  const failure = failureIn(message);
  if (message.role !== "assistant") return failure === undefined ? undefined : failurePayload(failure);
  const text = visibleText(message);
  if (failure !== undefined && text === "") return failurePayload(failure);
  switch (message.stopReason) {
    case "error":
      return { text: `${text}\n\n(My answer broke off here.)`, isError: true };
    case "length":
      return { text: `${text}\n\n(My answer became too long, and ends here.)`.trimStart() };
    default:
      return text === "" ? undefined : { text };
  }
}

function failurePayload({ code = "" }: Failure): ReplyPayload | undefined {
  // It does not end the run: the answer follows.
  if (code === "agent/not-compacted") return undefined;
  const words = failures.find(([beginning]) => code.startsWith(beginning))?.[1] ?? SOME_FAILURE;
  return { text: words, isError: true };
}

/** The words of an answer, as far as it has come. */
export function visibleText({ content }: Pick<AssistantMessage, "content">): string {
  return content
    .flatMap((block) => (block.type === "text" ? block.text : []))
    .join("\n\n")
    .trim();
}
