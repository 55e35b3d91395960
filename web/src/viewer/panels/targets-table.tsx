import type { Target } from "dragoman/convert";
import { viewerTexts } from "../../text/viewer-texts.js";
import { count } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import type { Comparison } from "../model/open-transcript.js";

interface TargetsTableProps {
  comparison: Comparison;
  onChoose: (dialect: string) => void;
}

const severities = ["dropped", "approximated", "synthesised"] as const;

/** What every dialect would lose, the smallest losses first: what `dragoman convert --to all --dry-run` prints. */
export function TargetsTable({ comparison: { targets, total, error }, onChoose }: TargetsTableProps) {
  const words = viewerTexts.targets;
  return (
    <>
      {error === undefined ? (
        <p role="status" className="viewer-quiet viewer-summary">
          {targets.length < total || total === 0
            ? words.progress(count(targets.length), count(total))
            : words.lossless(count(lossless(targets)), count(total))}
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
              <th scope="col">{words.dialect}</th>
              {severities.map((severity) => (
                <th key={severity} scope="col" title={viewerTexts.severities[severity]}>
                  {words.columns[severity]}
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
                {severities.map((severity) => (
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
  if (total === 0) return viewerTexts.targets.none;
  return kinds.map(({ count: times, what }) => `${count(times)} × ${visible(what)}`).join("; ");
}
