import { expect, test } from "vitest";
import { type Approved, decide } from "./access.js";
import type { AccessSettings } from "./settings.js";
import type { Chat } from "./types.js";

interface Case {
  who?: string;
  in?: Chat["kind"];
  chat?: string;
  addressed?: boolean;
  settings?: AccessSettings;
  people?: Approved[];
}

function verdict({
  who = "7",
  in: kind = "direct",
  chat = "-100",
  addressed = true,
  ...policy
}: Case): string {
  const { settings = {}, people = [] } = policy;
  const { verdict, isOwner } = decide(
    { place: { kind, chat }, sender: { id: who, name: "Ann" }, addressed },
    { settings, people },
  );
  return isOwner ? `${verdict}, owner` : verdict;
}

const ann = { id: "7", owner: false };

test.each<[string, Case, string]>([
  ["a stranger gets a code", {}, "pair"],
  ["somebody who was approved is answered", { people: [ann] }, "answer"],
  ["an owner who was approved", { people: [{ id: "7", owner: true }] }, "answer, owner"],
  ["somebody in the list", { settings: { allow: ["7"] } }, "answer"],
  ["an owner needs no second entry", { settings: { owners: ["7"] } }, "answer, owner"],
  ["a list without pairing is silent to strangers", { settings: { direct: "allowlist" } }, "ignore"],
  ["and still knows those who were approved", { settings: { direct: "allowlist" }, people: [ann] }, "answer"],
  ["open to everybody", { settings: { direct: "open" } }, "answer"],
  ["off, for owners too", { settings: { direct: "off", owners: ["7"] } }, "ignore, owner"],
  ["a star is nobody's id", { settings: { allow: ["*"] } }, "pair"],
  ["a name is no id", { settings: { allow: ["Ann"], owners: ["Ann"] } }, "pair"],
  ["the case of an id matters", { who: "u7", settings: { allow: ["U7"] } }, "pair"],
  ["an id is not trimmed", { who: "7 ", settings: { allow: ["7"] } }, "pair"],
])("direct: %s", (_, input, expected) => {
  expect(verdict(input)).toBe(expected);
});

test.each<[string, Case, string]>([
  ["a stranger who addresses it", {}, "context"],
  ["somebody known who addresses it", { people: [ann] }, "answer"],
  ["somebody known who does not", { people: [ann], addressed: false }, "context"],
  ["a stranger in an allowed group", { settings: { allowGroups: ["-100"] } }, "answer"],
  ["who does not address it", { settings: { allowGroups: ["-100"] }, addressed: false }, "context"],
  ["a stranger in another group", { settings: { allowGroups: ["-1001"] } }, "context"],
  [
    "everything of those who are known",
    { settings: { groups: "always", allow: ["7"] }, addressed: false },
    "answer",
  ],
  ["nothing of strangers for that", { settings: { groups: "always" } }, "context"],
  [
    "everything in an allowed group",
    { settings: { groups: "always", allowGroups: ["-100"] }, addressed: false },
    "answer",
  ],
  ["direct messages open do not open groups", { settings: { direct: "open" } }, "context"],
  ["direct messages off do not close groups", { settings: { direct: "off", allow: ["7"] } }, "answer"],
  ["off", { settings: { groups: "off", allow: ["7"], allowGroups: ["-100"] } }, "ignore"],
])("group: %s", (_, input, expected) => {
  expect([verdict({ in: "group", ...input }), verdict({ in: "channel", ...input })]).toEqual([
    expected,
    expected,
  ]);
});

test("somebody with several ids is known by each of them", () => {
  const sender = { id: "49@s.whatsapp.net", otherIds: ["77@lid"] };
  const judged = { place: { kind: "direct", chat: sender.id }, sender, addressed: true } as const;
  const verdicts = [
    { settings: { allow: ["77@lid"] }, people: [] },
    { settings: { allow: ["49@s.whatsapp.net"] }, people: [] },
    { settings: {}, people: [{ id: "77@lid", owner: true }] },
    { settings: { owners: ["77@lid"] }, people: [] },
    { settings: { allow: ["78@lid"] }, people: [] },
  ].map((policy) => decide(judged, policy));
  expect(verdicts.map(({ verdict, isOwner }) => [verdict, isOwner])).toEqual([
    ["answer", false],
    ["answer", false],
    ["answer", true],
    ["answer", true],
    ["pair", false],
  ]);
});
