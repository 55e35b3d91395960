import { expect, test } from "vitest";
import type { JsonRecord } from "../../core/dialect.js";
import { decode, skim } from "./decode.js";
import { leafRole } from "./leaf-role.js";

const frame = { parentUuid: "p", isSidechain: false, sessionId: "s", timestamp: "2026-01-05T09:00:00.000Z" };
const attachment = { type: "attachment", attachment: { type: "reminder" }, rendered: [{ content: "note" }] };
const last: JsonRecord = { ...frame, type: "system", subtype: "start", uuid: "p" };

function line(fields: object): JsonRecord {
  return { ...frame, uuid: "u", ...fields };
}

const nodesOf = (read: typeof decode, record: JsonRecord) =>
  read([record], last).map(({ message }) => ({
    id: message.id,
    parentId: message.parentId,
    leaf: leafRole(message),
  }));

test.each([
  ["a note", line({ type: "system", subtype: "duration" }), "tail"],
  ["a note of a sub-agent", line({ type: "system", subtype: "duration", isSidechain: true }), "aside"],
  ["an attachment in the user's name", line({ ...attachment, renderedRole: "user" }), "tail"],
  ["an attachment of the system", line({ ...attachment, renderedRole: "system" }), "tail"],
  ["a compaction", line({ type: "system", subtype: "compact_boundary" }), "leaf"],
  ["a sub-agent's", line({ type: "system", subtype: "compact_boundary", isSidechain: true }), "aside"],
  ["a prompt", line({ type: "user", message: { role: "user", content: "Hi" } }), "leaf"],
])("%s has the same place in the tree when it is skimmed", (_, record, leaf) => {
  expect(nodesOf(skim, record)).toEqual([{ id: "u", parentId: "p", leaf }]);
  expect(nodesOf(decode, record)).toEqual([{ id: "u", parentId: "p", leaf }]);
});
