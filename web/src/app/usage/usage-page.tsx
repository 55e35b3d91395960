import { useMemo, useState } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { Menu } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
import { PageHeader } from "../page-header.js";
import { BudgetList } from "./budget-list.js";
import { DayChart, type Unit } from "./day-chart.js";
import { UsageTable } from "./usage-table.js";
import {
  type Counted,
  type Dimension,
  daysSince,
  dimensionsOf,
  firstMoment,
  type Usage,
  useUsage,
} from "./use-usage.js";
import "./usage.css";

const PERIODS = [7, 30, 90];

const COUNTED = ["calls", "sessions"] as const;

/** What models used and cost: per day, and by model, agent, token, program or project. */
export function UsagePage() {
  const t = texts.usage;
  const { app, client, welcome } = useConnected();
  const may = useMay();
  const [counted, setCounted] = useState<Counted>("calls");
  const [by, setBy] = useState<Dimension>("model");
  const [period, setPeriod] = useState(30);
  const [unit, setUnit] = useState<Unit>();
  const now = useMemo(() => app.world.now(), [app.world.now]);
  const since = firstMoment(now, period);
  const { usage, error } = useUsage(client, counted, by, since);
  return (
    <>
      <PageHeader title={t.title}>
        <span className="usage-choices">
          {may("sessions.spending") && (
            <Menu
              label={t.countedLabel(t.counted[counted])}
              isPill
              items={COUNTED.map((choice) => ({
                label: t.counted[choice],
                chosen: choice === counted,
                choose: () => {
                  setCounted(choice);
                  setBy(dimensionsOf[choice][0] ?? "model");
                },
              }))}
              button={t.counted[counted]}
            />
          )}
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
            items={dimensionsOf[counted].map((dimension) => ({
              label: t.by[dimension],
              chosen: dimension === by,
              choose: () => setBy(dimension),
            }))}
            button={t.by[by]}
          />
        </span>
      </PageHeader>
      <div className="usage-page">
        {error !== undefined && <p role="alert">{error}</p>}
        {usage === undefined ? (
          error === undefined && <p role="status">{texts.controls.loading}</p>
        ) : (
          <UsageContent by={by} days={daysSince(since, now)} usage={usage} unit={unit} onUnit={setUnit} />
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
  /** Default: dollars, if any cost is known. */
  unit: Unit | undefined;
  onUnit(unit: Unit): void;
}

function UsageContent({ by, days, usage, unit, onUnit }: UsageContentProps) {
  const { budgets } = usage.list;
  if (usage.list.total.calls === 0 && budgets.length === 0) {
    return <p className="usage-empty">{texts.usage.noCalls}</p>;
  }
  return (
    <>
      {budgets.length > 0 && <BudgetList budgets={budgets} />}
      <DayChart days={days} rows={usage.days.rows} unit={unit} onUnit={onUnit} />
      <UsageTable by={by} {...usage.list} />
      {usage.list.total.unpriced > 0 && (
        <p className="usage-hint">
          <RichText text={texts.usage.incomplete} />
        </p>
      )}
    </>
  );
}
