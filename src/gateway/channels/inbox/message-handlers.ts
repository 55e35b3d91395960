import { commandOf, runCommand } from "../../../channels/commands.js";
import type { Channel, ChannelOptions, Chat, Person, Transport } from "../../../channels/types.js";
import type { Clock } from "../../../core/async/clock.js";
import type { Loss, UserContent } from "../../../core/types.js";
import { MAIN } from "../../../runtime/agents.js";
import type { Runtime } from "../../../runtime/runtime.js";
import { sentBy } from "../../../runtime/sent-mark.js";
import { channelOnceKey } from "../../inbound-message.js";
import type { Reception } from "../../types.js";
import { lostContent, withdrawnMessage } from "../border-losses.js";
import type { Delivery } from "../outbox/delivery.js";
import type { Outbox } from "../outbox/outbox.js";
import type { PeopleStore } from "../people-store.js";
import { QuestionAnswers } from "../question-answers.js";
import { commandsFor } from "./chat-commands.js";
import { composeMessage, sessionKeyOf, titleOf } from "./compose.js";
import type { InboxOptions } from "./inbox.js";
import { attachmentContent, missingFiles } from "./media.js";

export interface HandlerOptions {
  runtime: Runtime;
  world: Pick<Clock, "now">;
  reception: Reception;
  policy: InboxOptions["policy"];
  people: PeopleStore;
  channel: Channel;
  outbox: Outbox;
  delivery: Delivery;
  connected: Promise<Transport>;
  /** The bot's identity, once known. */
  me(): Person | undefined;
}

/** How an account's messages are handled after the decision. */
export function handlersFor(
  handling: HandlerOptions,
): Pick<InboxOptions, "policy" | "pair" | "command" | "recordWithdrawal" | "sendToAgent"> &
  Pick<ChannelOptions<unknown>, "choose"> {
  const { runtime, world, reception, policy, people, channel, outbox, delivery } = handling;
  const { channel: name, account, agent = MAIN } = reception;

  /** Sends a reply, once per id. */
  const reply = (id: string, place: Chat, text: string) =>
    outbox.add({ id, asked: { place }, parts: channel.outgoing({ text }, place) });

  const questions = new QuestionAnswers({ runtime, reception, policy, shown: () => outbox.state.questions });

  return {
    policy,
    choose: (choice) => questions.choose(choice),

    async pair({ sender, place }, key) {
      const code = await people.requestCode(sender, key);
      if (code === undefined) return;
      const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
      const words = `Hi! I don't know you yet. Please give this code to my owner within the next hour: ${shown}`;
      await reply(`pair:${key}`, place, `${words}\n\n(dragoman channels approve ${shown})`);
    },

    command(inbound, key, decision) {
      const answer = decision.isOwner ? questions.replyTo(inbound) : undefined;
      if (answer !== undefined) {
        return async () => {
          const text = await answer();
          if (text !== undefined) await reply(`command:${key}`, inbound.place, text);
        };
      }
      const command = commandOf(inbound, decision, handling.me());
      if (command === undefined) return undefined;
      return async () => {
        const text = await runCommand(command, commandsFor(runtime, sessionKeyOf(inbound, reception)));
        await reply(`command:${key}`, inbound.place, text);
      };
    },

    async recordWithdrawal(inbound) {
      const session = await runtime.log.find(sessionKeyOf(inbound, reception));
      // A person who never got an answer has no session.
      if (session === undefined) return;
      const conversation = await runtime.open(session);
      await conversation.recordLosses("channel", name, [withdrawnMessage(inbound)]);
    },

    async sendToAgent(messages, before, key, recorded) {
      const transport = await handling.connected;
      const [first] = messages;
      const session = { agent, key: sessionKeyOf(first, reception), ...titleOf(first) };
      const conversation = await runtime.begin(session);
      const losses = lostContent(messages);
      const options = {
        onLoss: (loss: Loss) => void losses.push(loss),
        fetch: transport.fetch.bind(transport),
        store: (bytes: Uint8Array, extension: string) =>
          runtime.store.blobs.put(bytes, { session: conversation.session.id, agent, extension }),
        mostBytes: channel.traits.mostBytes,
      };
      await delivery.askAndDeliver(conversation, async () => {
        const files: UserContent[] = [];
        // One at a time, because each file is held in memory.
        for (const attachment of messages.flatMap((message) => message.attachments)) {
          files.push(...(await attachmentContent(attachment, options)));
        }
        files.push(...messages.flatMap(missingFiles));
        const message = composeMessage(messages, before, files, reception, world.now());
        if (message === undefined) return;
        const sent = sentBy(`${name}/${account}`, message);
        await recorded;
        await conversation.sendOnce(channelOnceKey(name, account, key), sent);
      });
      await conversation.recordLosses("channel", name, losses);
    },
  };
}
