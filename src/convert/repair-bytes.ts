import type { Api } from "../core/api/provider.js";
import type { Dialect } from "../core/dialect.js";
import { offPath } from "./branches.js";
import { formOf, relink } from "./fixes/chain.js";
import { dropEmpty, fixContent } from "./fixes/content.js";
import { type Item, readItems, setFramesAside, setSilentAside } from "./fixes/items.js";
import { Journal } from "./fixes/journal.js";
import { noteLineEnds } from "./fixes/line-ends.js";
import { fixPairing } from "./fixes/pairing.js";
import { writeItems } from "./fixes/write.js";
import { leafRoleOf } from "./leaf.js";
import { isModelMessage } from "./meaning/blocks.js";
import { acceptsToolIds } from "./provider-rules/accepts.js";
import type { Repaired } from "./repair.js";
import { pointerOf, spotIn } from "./report.js";

/** `repair` for any dialect, registered or not. */
export function repairBytes(bytes: Uint8Array, dialect: Dialect, api?: Api): Omit<Repaired, "from"> {
  const journal = new Journal();
  const read = readItems(bytes, dialect, journal);
  const items = fix(read.items, dialect, journal, api);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (journal.isEmpty) return { output: text, ...journal.finish() };
  setFramesAside(read.folded, journal);
  setSilentAside(read.silent, journal);
  const output = writeItems(read, items, dialect, journal);
  noteLineEnds(text, dialect, journal);
  const { changes, ...rest } = journal.finish();
  // A dialect may write an empty text that the API's rules have removed, so the output can equal the input.
  return { output, changes: output === text ? [] : changes, ...rest };
}

function fix(items: readonly Item[], dialect: Dialect, journal: Journal, api: Api | undefined): Item[] {
  const form = dialect.branches ? formOf(items) : "line";
  if (form === "branches" || (form === "chain" && leavesBranch(items, dialect, api))) {
    noteBranches(items, dialect, journal, api);
    return fixContent(items, journal, api);
  }
  return fixLinear(items, form, journal, api);
}

function fixLinear(
  items: readonly Item[],
  form: "line" | "chain",
  journal: Journal,
  api: Api | undefined,
): Item[] {
  // Pairing first: it names blocks by their position in the source.
  const corrected = fixContent(fixPairing(items, journal, api), journal, api);
  const filled = api === undefined ? corrected : dropEmpty(corrected, journal, api);
  return form === "chain" ? relink(filled, journal) : filled;
}

/**
 * Whether a chain ends with prompts, answers or results that are not on its active branch, such as those of a sub-agent:
 * `check` does not find a result there.
 */
function leavesBranch(items: readonly Item[], dialect: Dialect, api: Api | undefined): boolean {
  if (dialect.leafRole === undefined) return false;
  const fixed = fixLinear(items, "chain", new Journal(), api);
  const active = new Set(activeBranch(fixed, dialect));
  return fixed.some((item) => isModelMessage(item.message) && !active.has(item));
}

/** With branches, a result could move to several places, so remaining problems are only reported. */
function noteBranches(
  items: readonly Item[],
  dialect: Dialect,
  journal: Journal,
  api: Api | undefined,
): void {
  const [first] = items;
  if (first?.source === undefined || !hasMoreToDo(items, dialect, api)) return;
  journal.note(spotIn(first.source), {
    code: "repair/branches",
    message: "the transcript has branches, so only problems inside single messages were corrected",
    hint: "convert one branch to a dialect without branches, and repair that",
    severity: "warning",
  });
}

function hasMoreToDo(items: readonly Item[], dialect: Dialect, api: Api | undefined): boolean {
  const trial = new Journal();
  fixPairing(activeBranch(items, dialect), trial, api);
  if (api !== undefined) {
    dropEmpty(fixContent(items, new Journal(), api), trial, api);
    if (items.some(({ message }) => !acceptsToolIds(message, api))) return true;
  }
  const ids = new Set<unknown>([undefined, null, ...items.map(({ message }) => message.id)]);
  return !trial.isEmpty || items.some(({ message }) => !ids.has(message.parentId));
}

function activeBranch(items: readonly Item[], dialect: Dialect): Item[] {
  const places = items.map(({ source }, index) =>
    source === undefined ? `added ${index}` : pointerOf(spotIn(source)),
  );
  const entries = items.map(({ message }, index) => {
    const { id, parentId } = message;
    return { at: places[index] ?? "", id, parentId, leafRole: leafRoleOf(message, dialect) };
  });
  const others = offPath(entries);
  return items.filter((_, index) => !others.has(places[index] ?? ""));
}
