import type { OwnCalls } from "../../core/api/provider.js";
import type { AssistantMessage, LiveAssistantMessageEvent } from "../../core/types.js";

type CallEvent = Extract<LiveAssistantMessageEvent, { type: `toolcall_${string}` }>;

/** Writes calls of a client's own tools in the client's form; each is emitted when it is complete. */
export async function* withOwnCalls(
  events: AsyncIterable<LiveAssistantMessageEvent>,
  own: OwnCalls,
): AsyncGenerator<LiveAssistantMessageEvent> {
  /** The withheld events of calls to own tools, and of calls whose tool is not known yet. */
  const withheld = new Map<number, CallEvent[]>();
  for await (const event of events) {
    switch (event.type) {
      case "toolcall_start":
        if (event.name === undefined || own.has(event.name)) withheld.set(event.contentIndex, [event]);
        else yield event;
        break;
      case "toolcall_delta":
        if (withheld.has(event.contentIndex)) withheld.get(event.contentIndex)?.push(event);
        else yield event;
        break;
      case "toolcall_end": {
        const { contentIndex, toolCall, partial } = event;
        const block = own.write(toolCall);
        if (block !== undefined) yield { type: "block_end", contentIndex, block, partial };
        else yield* [...(withheld.get(contentIndex) ?? []), event];
        withheld.delete(contentIndex);
        break;
      }
      case "done":
        yield { ...event, message: rewriteCalls(event.message, own) };
        break;
      case "error":
        yield { ...event, error: rewriteCalls(event.error, own) };
        break;
      default:
        yield event;
    }
  }
}

function rewriteCalls(message: AssistantMessage, own: OwnCalls): AssistantMessage {
  const content = message.content.map((block) =>
    block.type === "toolCall" ? (own.write(block) ?? block) : block,
  );
  return { ...message, content };
}
