import type { ChannelCommands } from "../../../channels/commands.js";
import { agentOf } from "../../../log/key.js";
import type { Conversation } from "../../../runtime/conversation.js";
import type { Runtime } from "../../../runtime/runtime.js";

/** What an owner can do to the conversation of a chat. */
export function commandsFor(runtime: Runtime, key: string): ChannelCommands {
  const agent = agentOf(key);
  const current = (): Promise<Conversation> => runtime.begin({ agent, key });
  return {
    async new() {
      const session = await runtime.log.create({ agent, key });
      await session.close();
      return "A new conversation begins here. The old one is kept.";
    },
    async stop() {
      const conversation = await current();
      if (!conversation.busy) return "Nothing is under way.";
      conversation.abort();
      return "Stopped.";
    },
    async status() {
      const conversation = await current();
      const messages = await conversation.messages();
      const said = messages.filter(({ role }) => role === "user" || role === "assistant").length;
      return [
        `Model: ${runtime.agents.modelOf(agent)}`,
        `Session: ${conversation.session.id}, ${said} messages`,
        conversation.busy ? "An answer is under way." : "Nothing is under way.",
      ].join("\n");
    },
    async compact() {
      const conversation = await current();
      if (conversation.busy)
        return "An answer is under way. Try again when it is done, or stop it with /stop.";
      return (await conversation.compact())
        ? "The conversation was summarised."
        : "The conversation is short already; nothing was done.";
    },
  };
}
