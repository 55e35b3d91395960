import type { Item } from "./items.js";
import { RowView } from "./row-view.js";
import { storedRows } from "./rows.js";
import "./transcript.css";

/** One message by itself, outside a list. */
export function MessageView({ item }: { item: Item }) {
  return (
    <div className="message">
      {storedRows([item]).map((row) => (
        <RowView key={row.key} row={row} />
      ))}
    </div>
  );
}
