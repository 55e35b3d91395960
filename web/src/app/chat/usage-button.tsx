import type { RpcSessionInfo } from "dragoman/client";
import { lazy, Suspense, useState } from "react";
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
          {shortCount(usage.totalTokens)} tokens{cost}
        </span>
      </button>
      <Dialog title="Session usage" open={isOpen} onClose={() => setOpen(false)}>
        <UsageDetails info={info} session={session} />
      </Dialog>
    </>
  );
}

function UsageDetails({ info, session }: { info: RpcSessionInfo; session: ChatSession }) {
  const { usage, unknownPrices } = info;
  const usages = (useStore(session.state)?.entries ?? [])
    .flatMap(({ message }) => (message.role === "assistant" ? message.usage : []))
    .filter(({ totalTokens }) => totalTokens > 0)
    .slice(-CHARTED);
  const rows = [
    ["Input", usage.input, usage.cost.input],
    ["Output", usage.output, usage.cost.output],
    ["Cache read", usage.cacheRead, usage.cost.cacheRead],
    ["Cache write", usage.cacheWrite, usage.cost.cacheWrite],
    ["Total", usage.totalTokens, usage.cost.total],
  ] as const;
  return (
    <>
      <table className="usage-table">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Kind</span>
            </th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, tokens, cost]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{count(tokens)}</td>
              <td>{unknownPrices && cost === 0 ? "unknown" : dollars(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {unknownPrices && (
        <p className="usage-hint">
          The usage or price of some answers is unknown, so the actual cost is higher.
        </p>
      )}
      <Suspense fallback={<div className="usage-chart" />}>
        <UsageChart usages={usages} />
      </Suspense>
    </>
  );
}
