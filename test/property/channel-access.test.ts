import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../src/channels/access.js";

// Few and alike, so that lists, chats and names often hold what nearly is the sender's id.
const id = fc.constantFrom("7", "77", "u7", "U7", "7 ", "*", "-100", "-1001", "ann@example", "Ann@example");
const ids = fc.array(id, { maxLength: 3 });
const inbound = fc.record({
  place: fc.record({ kind: fc.constantFrom("direct", "group", "channel"), chat: id }),
  sender: fc.record({ id, name: id }),
  addressed: fc.boolean(),
});
const people = fc.array(fc.record({ id, owner: fc.boolean() }), { maxLength: 2 });

test("nobody unknown is ever answered under the defaults, nor ever an owner", () => {
  const seen = { strangers: 0, known: 0, answered: 0 };
  fc.assert(
    fc.property(inbound, ids, ids, ids, people, (message, allow, owners, allowGroups, approved) => {
      const { sender, place, addressed } = message;
      const { verdict, isOwner } = decide(message, {
        settings: { allow, owners, allowGroups },
        people: approved,
      });
      const named = [...allow, ...owners, ...approved.map((person) => person.id)].some(
        (one) => one === sender.id,
      );
      const inOpenGroup = place.kind !== "direct" && allowGroups.some((one) => one === place.chat);
      if (!named && !inOpenGroup) {
        seen.strangers++;
        expect(verdict).toBe(place.kind === "direct" ? "pair" : "context");
      }
      if (named && (place.kind === "direct" || addressed)) {
        seen.known++;
        expect(verdict).toBe("answer");
      }
      if (verdict === "answer") seen.answered++;
      if (place.kind !== "direct" && !addressed) expect(verdict).toBe("context");
      if (isOwner) {
        expect([...owners, ...approved.flatMap((person) => (person.owner ? [person.id] : []))]).toContain(
          sender.id,
        );
      }
    }),
    { numRuns: 5_000 },
  );
  expect(seen.strangers).toBeGreaterThan(1_000);
  expect(seen.known).toBeGreaterThan(500);
  expect(seen.answered).toBeGreaterThan(500);
});
