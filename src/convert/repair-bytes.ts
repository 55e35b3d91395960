import type { Dialect } from "../core/dialect.js";
import { offPath } from "./branches.js";
import { formOf, relink } from "./fixes/chain.js";
import { dropEmpty, fixContent } from "./fixes/content.js";
import { type Item, leaveFrames, readItems } from "./fixes/items.js";
import { Journal } from "./fixes/journal.js";
import { fixPairing } from "./fixes/pairing.js";
import { writeItems } from "./fixes/write.js";
import type { Provider, ProviderRules } from "./provider-rules/rules.js";
import { rulesOf } from "./provider-rules/table.js";
import type { Repaired } from "./repair.js";
import { pointerOf, spotIn } from "./report.js";

/** `repair` for any dialect, registered or not. */
export function repairBytes(
  bytes: Uint8Array,
  dialect: Dialect,
  provider?: Provider,
): Omit<Repaired, "from"> {
  const journal = new Journal();
  const rules = provider === undefined ? undefined : rulesOf[provider];
  const read = readItems(bytes, dialect, journal);
  const items = fix(read.items, dialect.branches ? formOf(read.items) : "line", journal, rules);
  if (journal.isEmpty) {
    return { output: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), ...journal.finish() };
  }
  leaveFrames(read.folded, journal);
  const output = writeItems(items, dialect, journal);
  return { output, ...journal.finish() };
}

function fix(
  items: readonly Item[],
  form: ReturnType<typeof formOf>,
  journal: Journal,
  rules: ProviderRules | undefined,
): Item[] {
  if (form === "branches") {
    noteBranches(items, journal, rules);
    return fixContent(items, journal, rules);
  }
  // Pairing first: it names blocks by their position in the source.
  const corrected = fixContent(fixPairing(items, journal, rules), journal, rules);
  const filled = rules === undefined ? corrected : dropEmpty(corrected, journal, rules);
  return form === "chain" ? relink(filled, journal) : filled;
}

/** With branches there is more than one place to move a result to, so it is only said that there is something to do. */
function noteBranches(items: readonly Item[], journal: Journal, rules: ProviderRules | undefined): void {
  const entries = items.flatMap(({ message, source }) => {
    const { id, parentId } = message;
    if (parentId === undefined || source === undefined) return [];
    return [{ at: pointerOf(spotIn(source)), id, parentId }];
  });
  const others = offPath(entries);
  const path = items.filter(({ source }) => source !== undefined && !others.has(pointerOf(spotIn(source))));
  const trial = new Journal();
  fixPairing(path, trial, rules);
  const [first] = path;
  if (trial.isEmpty || first?.source === undefined) return;
  journal.note(spotIn(first.source), {
    code: "repair/branches",
    message: "the transcript has branches, so calls and results were left where they are",
    hint: "convert the branch you want to a dialect without branches, and repair that",
    severity: "warning",
  });
}
