import { useMemo } from "react";
import { TranscriptContext } from "./context.js";
import type { Item } from "./items.js";
import { RowView } from "./row-view.js";
import { storedRows } from "./rows.js";
import { ToolActivity } from "./tools/tool-activity.js";
import "./print-view.css";

/** Every fold is open on paper. */
class OpenFolds extends Map<string, boolean> {
  override get(): boolean {
    return true;
  }
}

/** All messages, for a printer: a virtual list has only those that are visible. */
export function PrintView({ title, items }: { title: string; items: readonly Item[] }) {
  const context = useMemo(
    () => ({ tools: new ToolActivity(), busy: false, folds: new OpenFolds(), openSession: undefined }),
    [],
  );
  return (
    <TranscriptContext value={context}>
      <div className="print-view">
        <h1>{title}</h1>
        {storedRows(items).map((row) => (
          <RowView key={row.key} row={row} />
        ))}
      </div>
    </TranscriptContext>
  );
}
