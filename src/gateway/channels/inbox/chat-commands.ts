import type { ChannelCommands } from "../../../channels/commands.js";
import { agentOf } from "../../../log/key.js";
import type { Conversation } from "../../../runtime/conversation.js";
import type { Runtime } from "../../../runtime/runtime.js";

/** The owner's commands for a chat's conversation. */
export function commandsFor(runtime: Runtime, key: string): ChannelCommands {
  const agent = agentOf(key);
  const current = (): Promise<Conversation> => runtime.begin({ agent, key });
  return {
    async new() {
      const session = await runtime.log.create({ agent, key });
      await session.close();
      return "Let's start fresh. I've kept our previous conversation.";
    },
    async stop() {
      const conversation = await current();
      if (!conversation.busy) return "There's nothing to stop right now.";
      conversation.abort();
      return "Okay, I've stopped.";
    },
    async status() {
      const conversation = await current();
      const messages = await conversation.messages();
      const count = messages.filter(({ role }) => role === "user" || role === "assistant").length;
      return [
        `Model: ${runtime.agents.modelOf(agent)}`,
        `Session: ${conversation.session.id} (${count} messages)`,
        conversation.busy ? "I'm working on an answer." : "I'm not working on anything right now.",
      ].join("\n");
    },
    async compact() {
      const conversation = await current();
      if (conversation.busy)
        return "I'm still working on an answer. Please try again when I'm done, or send /stop first.";
      return (await conversation.compact())
        ? "Done. I've summarised our conversation."
        : "Our conversation is still short, so there's nothing to summarise.";
    },
  };
}
