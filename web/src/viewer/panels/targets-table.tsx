import type { Target } from "dragoman/convert";
import { count, counted } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import type { Comparison } from "../model/open-transcript.js";

interface TargetsTableProps {
  comparison: Comparison;
  onChoose: (dialect: string) => void;
}

const columns = [
  { severity: "dropped", title: "Dropped" },
  { severity: "approximated", title: "Approx." },
  { severity: "synthesised", title: "Synth." },
] as const;

/** What every dialect would lose, the smallest losses first: what `dragoman convert --to all --dry-run` prints. */
export function TargetsTable({ comparison: { targets, total, error }, onChoose }: TargetsTableProps) {
  return (
    <>
      {error === undefined ? (
        <p role="status" className="viewer-quiet viewer-summary">
          {targets.length < total
            ? `Compared ${count(targets.length)} of ${counted(total, "dialect")}…`
            : `${counted(lossless(targets), "dialect")} of ${count(total)} would lose nothing.`}
        </p>
      ) : (
        <p role="alert" className="viewer-trouble">
          {visible(error.message)}
        </p>
      )}
      {targets.length === 0 ? null : (
        <table className="viewer-targets">
          <thead>
            <tr>
              <th scope="col">Dialect</th>
              {columns.map(({ severity, title }) => (
                <th key={severity} scope="col" title={severity}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {targets.map((target) => (
              <tr key={target.dialect}>
                <th scope="row">
                  <button type="button" className="viewer-target" onClick={() => onChoose(target.dialect)}>
                    {target.title}
                  </button>
                  <span className="viewer-quiet one-line" title={kindsOf(target)}>
                    {kindsOf(target)}
                  </span>
                </th>
                {columns.map(({ severity }) => (
                  <td key={severity} data-severity={target.losses[severity] === 0 ? undefined : severity}>
                    {target.losses[severity] === 0 ? "–" : count(target.losses[severity])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function lossless(targets: readonly Target[]): number {
  return targets.filter(({ total }) => total === 0).length;
}

function kindsOf({ total, kinds }: Target): string {
  if (total === 0) return "no losses";
  return kinds.map(({ count: times, what }) => `${count(times)} × ${visible(what)}`).join("; ");
}
