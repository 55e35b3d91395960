import type { RpcSessionInfo } from "dragoman/client";
import { lazy, Suspense, useState } from "react";
import { texts } from "../../text/texts.js";
import { Dialog } from "../../theme/dialog.js";
import { Icon } from "../../theme/icon.js";
import { count, dollars, shortCount } from "../../transcript/numbers.js";
import type { ChatSession } from "../state/chat-session.js";
import { useStore } from "../state/store.js";

/** The number of answers that fit into the chart. */
const CHARTED = 40;

const UsageChart = lazy(async () => ({ default: (await import("./usage-chart.js")).UsageChart }));

/** The session's usage so far; opens a dialog with details. */
export function UsageButton({ info, session }: { info: RpcSessionInfo; session: ChatSession }) {
  const [isOpen, setOpen] = useState(false);
  const { usage, unknownPrices } = info;
  if (usage.totalTokens === 0) return null;
  const total = `${unknownPrices ? "≥ " : ""}${dollars(usage.cost.total)}`;
  const cost = unknownPrices && usage.cost.total === 0 ? "" : ` · ${total}`;
  return (
    <>
      <button type="button" className="pill usage-button" onClick={() => setOpen(true)}>
        <Icon name="chart" />
        <span>
          {texts.usage.tokens(shortCount(usage.totalTokens))}
          {cost}
        </span>
      </button>
      <Dialog title={texts.usage.session.title} hasClose open={isOpen} onClose={() => setOpen(false)}>
        <UsageDetails info={info} session={session} />
      </Dialog>
    </>
  );
}

function UsageDetails({ info, session }: { info: RpcSessionInfo; session: ChatSession }) {
  const { usage, unknownPrices } = info;
  const { columns } = texts.usage;
  const usages = (useStore(session.state)?.entries ?? [])
    .flatMap(({ message }) => (message.role === "assistant" ? message.usage : []))
    .filter(({ totalTokens }) => totalTokens > 0)
    .slice(-CHARTED);
  const rows = [
    [columns.input, usage.input, usage.cost.input],
    [columns.output, usage.output, usage.cost.output],
    [columns.cacheRead, usage.cacheRead, usage.cost.cacheRead],
    [columns.cacheWrite, usage.cacheWrite, usage.cost.cacheWrite],
    [columns.total, usage.totalTokens, usage.cost.total],
  ] as const;
  return (
    <>
      <table className="usage-table">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{columns.kind}</span>
            </th>
            <th scope="col">{columns.tokens}</th>
            <th scope="col">{columns.cost}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, tokens, cost]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{count(tokens)}</td>
              <td>{unknownPrices && cost === 0 ? texts.usage.unknown : dollars(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {unknownPrices && <p className="usage-hint">{texts.usage.session.incomplete}</p>}
      <Suspense fallback={<div className="usage-chart" />}>
        <UsageChart usages={usages} />
      </Suspense>
    </>
  );
}
