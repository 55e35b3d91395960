import fc from "fast-check";
import { expect, test } from "vitest";
import type { Where } from "../../src/channels/discord/where.js";
import { is } from "../../src/core/validate.js";
import { discordMessage as normalise } from "../support/native-messages.js";

const known = { id: "555", roles: new Set(["777"]) };
const wheres = fc.constantFrom<Where>(
  { kind: "direct" },
  { kind: "server", server: "3" },
  { kind: "server", server: "3", parent: "30" },
);
const anything = fc.jsonValue({ maxDepth: 2 });
// Mostly what it should be, so that some get through, and now and then something else.
const nearly = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: anything });
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(nearly(value), { nil: undefined });
const id = fc.constantFrom("1", "31", "555", "8");
const user = fc.record({ id, username: nearly(fc.string()), bot: sometimes(fc.boolean()) });
const nearlyMessages = fc.record({
  id: nearly(id),
  channel_id: nearly(id),
  guild_id: sometimes(id),
  type: nearly(fc.constantFrom(0, 0, 0, 19, 7)),
  author: nearly(user),
  webhook_id: fc.constantFrom(undefined, undefined, undefined, "9"),
  content: nearly(fc.string()),
  timestamp: nearly(fc.constantFrom("2026-01-01T00:00:00+00:00", "soon", "")),
  edited_timestamp: sometimes(fc.constantFrom(null, "2026-01-01T00:01:00+00:00")),
  mentions: sometimes(fc.array(user)),
  mention_roles: sometimes(fc.array(id)),
  referenced_message: sometimes(fc.oneof(fc.constant(null), fc.record({ id, author: user }))),
  attachments: sometimes(fc.array(fc.record({ id, url: fc.webUrl(), content_type: fc.string() }))),
});

test("nothing makes it throw, and no sender is invented", () => {
  const seen = { messages: 0, refused: 0 };
  fc.assert(
    fc.property(fc.oneof(nearlyMessages, anything), wheres, (value, where) => {
      const inbound = normalise(value, where, known);
      if (inbound === undefined) {
        seen.refused++;
        return;
      }
      seen.messages++;
      const { author, channel_id } = value as { author: { id: string }; channel_id: string };
      expect([inbound.sender.id, inbound.message.From]).toEqual([author.id, author.id]);
      expect(author.id).not.toBe("555");
      expect(inbound.place.thread ?? inbound.place.chat).toBe(channel_id);
      expect(inbound.place.kind === "direct").toBe(where.kind === "direct");
      expect(is("OpenClawMessage", inbound.message)).toBe(true);
    }),
    { numRuns: 6_000 },
  );
  expect(seen.messages).toBeGreaterThan(300);
  expect(seen.refused).toBeGreaterThan(300);
});
