import fc from "fast-check";
import { expect, test } from "vitest";
import { is } from "../../src/core/validate.js";
import { whatsappMessage as normalise } from "../support/native-messages.js";

const me = { id: "555:2@s.whatsapp.net", lid: "999@lid" };
const anything = fc.jsonValue({ maxDepth: 2 });
// Mostly what it should be, so that some get through, and now and then something else.
const nearly = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: anything });
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(nearly(value), { nil: undefined });
const person = fc.constantFrom(
  "1@s.whatsapp.net",
  "1:3@s.whatsapp.net",
  "8@c.us",
  "77@lid",
  "555@s.whatsapp.net",
  "999:2@lid",
);
const place = fc.constantFrom(
  "1@s.whatsapp.net",
  "77:4@lid",
  "20@g.us",
  "20@g.us",
  "status@broadcast",
  "3@newsletter",
);
const contextInfo = fc.record({
  stanzaId: nearly(fc.string()),
  participant: nearly(person),
  mentionedJid: nearly(fc.array(person)),
  quotedMessage: nearly(fc.record({ conversation: nearly(fc.string()) })),
});
const file = fc.record({
  caption: sometimes(fc.string()),
  mimetype: nearly(fc.string()),
  fileLength: nearly(fc.oneof(fc.nat(), fc.record({ low: fc.integer(), high: fc.integer() }))),
  mediaKey: nearly(fc.base64String()),
  contextInfo: sometimes(contextInfo),
});
const words = fc.oneof(
  fc.record({ conversation: nearly(fc.string()) }),
  fc.record({
    extendedTextMessage: nearly(
      fc.record({ text: nearly(fc.string()), contextInfo: sometimes(contextInfo) }),
    ),
  }),
  fc
    .constantFrom("imageMessage", "audioMessage", "documentMessage", "reactionMessage")
    .chain((name) => fc.record({ [name]: nearly(file) })),
);
const edit = fc.record({
  type: nearly(fc.constantFrom(14, 0)),
  key: nearly(fc.record({ id: fc.string() })),
  editedMessage: words,
});
const content = fc.oneof(
  { weight: 4, arbitrary: words },
  fc
    .constantFrom("ephemeralMessage", "viewOnceMessage", "editedMessage")
    .chain((name) => fc.record({ [name]: nearly(fc.record({ message: words })) })),
  fc.record({ protocolMessage: nearly(edit) }),
);
const nearlyMessages = fc.record({
  key: nearly(
    fc.record({
      remoteJid: nearly(place),
      id: nearly(fc.string({ minLength: 1 })),
      fromMe: fc.constantFrom(false, false, false, null, true),
      participant: sometimes(person),
      remoteJidAlt: sometimes(person),
      participantAlt: sometimes(person),
    }),
  ),
  message: nearly(content),
  messageTimestamp: nearly(fc.oneof(fc.nat(), fc.string())),
  pushName: sometimes(fc.string()),
});

/** Everybody who is named in the key, without devices. */
function named(key: Record<string, unknown>): string[] {
  return [key["remoteJid"], key["remoteJidAlt"], key["participant"], key["participantAlt"]].flatMap((jid) =>
    typeof jid === "string" ? jid.replace(/:\d+@/, "@").replace("@c.us", "@s.whatsapp.net") : [],
  );
}

test("nothing makes it throw, and no sender is invented", () => {
  const seen = { direct: 0, group: 0, refused: 0 };
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: nearlyMessages }, anything), (value) => {
      const inbound = normalise(value, me);
      if (inbound === undefined) {
        seen.refused++;
        return;
      }
      const { key } = value as { key: Record<string, unknown> };
      const { sender, place: where, message } = inbound;
      expect(named(key)).toContain(sender.id);
      expect(message.From).toBe(sender.id);
      expect(["555@s.whatsapp.net", "999@lid"]).not.toContain(sender.id);
      expect(sender.id).toMatch(/^[^:@]+@(s\.whatsapp\.net|lid)$/);
      expect(where.chat).toBe(where.kind === "group" ? "20@g.us" : sender.id);
      expect(key["fromMe"]).not.toBe(true);
      expect(is("OpenClawMessage", message)).toBe(true);
      if (where.kind === "group") seen.group++;
      else seen.direct++;
    }),
    { numRuns: 6_000 },
  );
  expect(seen.direct).toBeGreaterThan(300);
  expect(seen.group).toBeGreaterThan(300);
  expect(seen.refused).toBeGreaterThan(300);
});
