import { texts } from "../../text/texts.js";
import { utcDay } from "../../transcript/dates.js";
import { count, dollars } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { useOriginTitle } from "../app-context.js";
import type { Dimension, UsageList, UsageRow } from "./use-usage.js";

type Counts = UsageList["total"];

const COLUMNS = ["cost", "calls", "input", "output", "cacheRead", "cacheWrite", "reasoning"] as const;

/** A row for each model, agent or token, with a bar for its share of the cost. */
export function UsageTable({ by, rows, total }: { by: Dimension } & Pick<UsageList, "rows" | "total">) {
  const t = texts.usage;
  const programTitle = useOriginTitle();
  if (rows.length === 0) return null;
  return (
    <section className="usage-scroller" aria-label={t.tableLabel[by]} tabIndex={0}>
      <table className="usage-table usage-rows">
        <thead>
          <tr>
            <th scope="col">{t.dimensions[by]}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t.columns[column]}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{t.columns.share}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" title={row.name}>
                {row.title ?? nameOf(row.name, by, programTitle)}
              </th>
              <Cells {...row} />
              <td>
                <meter aria-label={t.shareOfTotal} value={shareOf(row, total)} />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t.columns.total}</th>
            <Cells {...total} />
            <td />
          </tr>
        </tbody>
      </table>
    </section>
  );
}

function nameOf(name: string, by: Dimension, programTitle: (name: string) => string): string {
  if (name === "") return by === "agent" ? texts.usage.noAgent : texts.usage.unknown;
  if (by === "day") return utcDay(Date.parse(name));
  if (by !== "source") return visible(name);
  return name === "dragoman" ? "Dragoman" : visible(programTitle(name));
}

function Cells({ calls, input, output, cacheRead, cacheWrite, reasoning, cost, unpriced }: Counts) {
  return (
    <>
      <td>{costText(cost, unpriced > 0)}</td>
      {Object.entries({ calls, input, output, cacheRead, cacheWrite, reasoning }).map(([name, value]) => (
        <td key={name}>{count(value)}</td>
      ))}
    </>
  );
}

function costText(cost: number, isIncomplete: boolean): string {
  if (isIncomplete && cost === 0) return texts.usage.unknown;
  return `${isIncomplete ? "≥ " : ""}${dollars(cost)}`;
}

/** From 0 to 1; of the output if nothing has a cost. */
function shareOf(row: UsageRow, total: Counts): number {
  const [part, whole] = total.cost > 0 ? [row.cost, total.cost] : [row.output, total.output];
  return whole === 0 ? 0 : part / whole;
}
