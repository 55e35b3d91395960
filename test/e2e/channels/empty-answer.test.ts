import { expect, test } from "vitest";
import type { Channel } from "../../../src/channels/types.js";
import { ChatPlatform, inboundOf } from "../../fakes/chat-platform.js";
import { testDesk } from "../../fakes/desk.js";
import { SteppedModel } from "../../fakes/stepped-model.js";

test.each(["", "&nbsp;"])("an answer of %j, with nothing to see in it, is told of", async (text) => {
  const platform = new ChatPlatform();
  platform.channel = () => withoutBlanks(ChatPlatform.prototype.channel.call(platform));
  const model = new SteppedModel();
  testDesk(platform, { config: model.config, fetch: model.fetch });
  await platform.say(inboundOf("Hello?"));
  await model.isAsked(1);
  model.send({ text, stop: "stop" });
  expect(await platform.hasShown("7", 1)).toEqual([
    "! Sorry, I came up with an empty answer. Please ask again, perhaps in different words.",
  ]);
});

/** As the formatters of real platforms do. */
function withoutBlanks(channel: Channel<unknown, string>): Channel<unknown, string> {
  return {
    ...channel,
    outgoing: (payload, place) => (payload.text === "&nbsp;" ? [] : channel.outgoing(payload, place)),
  };
}
