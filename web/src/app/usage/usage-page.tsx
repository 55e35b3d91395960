import { useMemo, useState } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { IconButton } from "../../theme/icon-button.js";
import { Menu } from "../../theme/menu.js";
import { useConnected } from "../app-context.js";
import { BudgetList } from "./budget-list.js";
import { DayChart } from "./day-chart.js";
import { UsageTable } from "./usage-table.js";
import { DIMENSIONS, type Dimension, daysSince, firstMoment, type Usage, useUsage } from "./use-usage.js";
import "./usage.css";

const PERIODS = [7, 30, 90];

/** What calls of models used and cost: per day, and by model, agent or token. */
export function UsagePage({ onOpenDrawer }: { onOpenDrawer: () => void }) {
  const t = texts.usage;
  const { app, client, welcome } = useConnected();
  const [by, setBy] = useState<Dimension>("model");
  const [period, setPeriod] = useState(30);
  const now = useMemo(() => app.world.now(), [app.world.now]);
  const since = firstMoment(now, period);
  const { usage, error } = useUsage(client, by, since);
  return (
    <>
      <header className="chat-head">
        <IconButton
          icon="menu"
          label={texts.shell.openSideBar}
          className="drawer-only"
          onClick={onOpenDrawer}
        />
        <div className="chat-title">
          <h1>{t.title}</h1>
        </div>
        <span className="usage-choices">
          <Menu
            label={t.periodLabel(period)}
            isPill
            items={PERIODS.map((days) => ({
              label: t.lastDays(days),
              chosen: days === period,
              choose: () => setPeriod(days),
            }))}
            button={t.lastDays(period)}
          />
          <Menu
            label={t.groupBy[by]}
            isPill
            items={DIMENSIONS.map((dimension) => ({
              label: t.by[dimension],
              chosen: dimension === by,
              choose: () => setBy(dimension),
            }))}
            button={t.by[by]}
          />
        </span>
      </header>
      <div className="usage-page">
        {error !== undefined && <p role="alert">{error}</p>}
        {usage === undefined ? (
          error === undefined && <p role="status">{texts.controls.loading}</p>
        ) : (
          <UsageContent by={by} days={daysSince(since, now)} usage={usage} />
        )}
        {welcome.scope !== "admin" && <p className="usage-hint">{t.ownOnly}</p>}
      </div>
    </>
  );
}

interface UsageContentProps {
  by: Dimension;
  days: readonly string[];
  usage: Usage;
}

function UsageContent({ by, days, usage }: UsageContentProps) {
  const { budgets } = usage.list;
  if (usage.list.total.calls === 0 && budgets.length === 0) {
    return <p className="usage-empty">{texts.usage.noCalls}</p>;
  }
  return (
    <>
      {budgets.length > 0 && <BudgetList budgets={budgets} />}
      <DayChart days={days} rows={usage.days.rows} />
      <UsageTable by={by} {...usage.list} />
      {usage.list.total.unpriced > 0 && (
        <p className="usage-hint">
          <RichText text={texts.usage.incomplete} />
        </p>
      )}
    </>
  );
}
