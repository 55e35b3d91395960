import type { Result } from "dragoman/client";
import { texts } from "../../text/texts.js";
import { count } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";

type LossKinds = Result<"sessions.export">["kinds"];

/** What a format cannot represent of a session, by kind. */
export function LossList({ kinds }: { kinds: LossKinds }) {
  const t = texts.transfer.losses;
  if (kinds.length === 0) return <p className="loss-none">{t.none}</p>;
  return (
    <section className="loss-scroller" aria-label={t.title} tabIndex={0}>
      <table className="loss-table">
        <caption>{t.title}</caption>
        <thead>
          <tr>
            <th scope="col">{t.columns.count}</th>
            <th scope="col">{t.columns.what}</th>
            <th scope="col">{t.columns.why}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ severity, what, why, count: times }) => (
            <tr key={`${severity} ${what} ${why}`} data-severity={severity}>
              <td>{count(times)}</td>
              <th scope="row">
                {visible(what)} <small>{t.severities[severity]}</small>
              </th>
              <td>{visible(why)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
