import fc from "fast-check";
import type { AgentMessage, AssistantMessage } from "../../src/core/index.js";
import { assistantMessage, otherMessage, present, toolResult, userMessage } from "./messages.js";

/** An answer with the results of its calls: mostly all of them in order, now and then one too few or a stranger. */
const exchange: fc.Arbitrary<AgentMessage[]> = assistantMessage.chain((answer) => {
  const calls = answer.content.filter((block) => block.type === "toolCall");
  const results = calls.map((call) => toolResult(call.id, call.name));
  return fc
    .tuple(
      fc.tuple(...results),
      fc.boolean(),
      fc.option(toolResult(), { nil: undefined, freq: 12 }),
      fc.option(otherMessage, { nil: undefined, freq: 5 }),
    )
    .map(([given, complete, stranger, other]) => [
      answer as AssistantMessage,
      ...(complete ? given : given.slice(0, -1)),
      ...(stranger === undefined ? [] : [stranger]),
      ...(other === undefined ? [] : [other]),
    ]);
});

const turn = fc
  .tuple(userMessage, fc.array(exchange, { maxLength: 3 }))
  .map(([question, exchanges]) => [question, ...exchanges.flat()]);

const decoration = fc.record({
  id: fc.boolean(),
  sender: fc.option(fc.constantFrom("alice", "weather-bot"), { nil: undefined, freq: 5 }),
  ext: fc.option(fc.constantFrom({ cline: { family: "x" } }, { pi: { a: [1] }, turns: {} }), {
    nil: undefined,
    freq: 8,
  }),
});

/**
 * Conversations as they happen: turns of a question, answers, tool results and the odd other message; some with a session
 * line, ids, senders and what other dialects left behind. Linear.
 */
export const conversation: fc.Arbitrary<AgentMessage[]> = fc
  .tuple(
    fc.option(
      fc.record({
        role: fc.constant("session" as const),
        id: fc.uuid(),
        agent: fc.constantFrom("main", "coder"),
        timestamp: fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }),
      }),
      { nil: undefined },
    ),
    fc.array(turn, { maxLength: 3 }),
    fc.infiniteStream(decoration),
  )
  .map(([session, turns, decorations]) => {
    const messages: AgentMessage[] = [...(session === undefined ? [] : [session]), ...turns.flat()];
    return messages.map((message, index) => {
      const { id, sender, ext } = decorations.next().value;
      return present({
        ...message,
        id: "id" in message ? message.id : id ? `m${index}` : undefined,
        sender,
        ext,
      }) as AgentMessage;
    });
  });

/** The same as a transcript of the model's own dialect. */
export function transcript(messages: readonly AgentMessage[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}
