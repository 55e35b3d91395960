import fc from "fast-check";
import { expect, test } from "vitest";
import { webhookMessage as normalise } from "../support/native-messages.js";

const anything = fc.jsonValue({ maxDepth: 2 });
// Mostly what it should be, so that some get through, and now and then something else.
const id = fc.oneof(
  { weight: 40, arbitrary: fc.string({ minLength: 1 }) },
  { weight: 1, arbitrary: anything },
);
const sometimes = <T>(value: fc.Arbitrary<T>) =>
  fc.option(fc.oneof({ weight: 30, arbitrary: value }, anything), { nil: undefined });
const nearlyMessages = fc.record({
  From: id,
  To: id,
  MessageId: id,
  ChatType: fc.constantFrom("direct", "group", "channel", "dm"),
  Text: sometimes(fc.string()),
  SenderName: sometimes(fc.string()),
  Addressed: sometimes(fc.boolean()),
  MessageThreadId: sometimes(fc.string()),
  MediaUrl: sometimes(fc.constantFrom("https://x.example/a", "data:,hi")),
  Attachments: sometimes(
    fc.array(fc.record({ Url: fc.constantFrom("https://x.example/a", "data:,hi", "file:a") })),
  ),
});

test("nothing makes it throw, and no sender is invented", () => {
  const seen = { messages: 0, refused: 0 };
  fc.assert(
    fc.property(fc.oneof(nearlyMessages, anything), (value) => {
      const inbound = normalise(value);
      if (inbound === undefined) {
        seen.refused++;
        return;
      }
      seen.messages++;
      const { From, To, MessageId } = value as { From: unknown; To: unknown; MessageId: unknown };
      expect(inbound.sender.id).toBe(From);
      expect(inbound.id).toBe(MessageId);
      expect(inbound.place.chat).toBe(inbound.place.kind === "direct" ? From : To);
      expect(JSON.stringify(inbound.message)).not.toContain("https://x.example/a");
    }),
    { numRuns: 3_000 },
  );
  expect(seen.messages).toBeGreaterThan(300);
  expect(seen.refused).toBeGreaterThan(300);
});
