import { defined } from "../../core/json/defined.js";
import type { Loss, UserContent, UserMessage } from "../../core/types.js";
import { blockOf } from "../agent/content.js";
import type { AcpContentBlock, AcpInitialized } from "../wire.js";

type PromptCapabilities = NonNullable<NonNullable<AcpInitialized["agentCapabilities"]>["promptCapabilities"]>;

/** Messages as one prompt. What the program cannot read is replaced by a text, and reported. */
export function promptBlocks(
  messages: readonly UserMessage[],
  capabilities: PromptCapabilities,
  onLoss: (loss: Loss) => void,
): AcpContentBlock[] {
  return messages.flatMap(({ content }) => {
    const blocks: UserContent[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return blocks.flatMap((block) => {
      const sent = blockOf(block);
      if (sent === undefined || sent.type === "text" || sent.type === "resource_link") return sent ?? [];
      if (canRead(sent, capabilities)) return sent;
      const why = "the agent program does not declare that it reads this kind of content";
      onLoss({ at: "", what: `${block.type} in a message`, why, severity: "dropped" });
      const { name, mimeType } = defined({ name: undefined, mimeType: undefined, ...block });
      const what = [name, mimeType].filter((part) => part !== undefined).join(", ");
      return { type: "text", text: `[${block.type} that you cannot read${what === "" ? "" : `: ${what}`}]` };
    });
  });
}

function canRead({ type }: AcpContentBlock, { image, audio, embeddedContext }: PromptCapabilities): boolean {
  if (type === "image") return image === true;
  return type === "audio" ? audio === true : embeddedContext === true;
}
