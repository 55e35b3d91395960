import { useState } from "react";
import { texts } from "../../text/texts.js";
import { utcDay } from "../../transcript/dates.js";
import { dollars, shortCount } from "../../transcript/numbers.js";
import type { UsageRow } from "./use-usage.js";

const [WIDTH, HEIGHT] = [720, 140];

const tokensOf = ({ input, output, cacheRead, cacheWrite }: UsageRow) =>
  input + output + cacheRead + cacheWrite;

/** What the height of a bar is. */
export type Unit = "dollars" | "tokens";

interface DayChartProps {
  days: readonly string[];
  rows: readonly UsageRow[];
  /** Default: dollars, if any cost is known. */
  unit: Unit | undefined;
  onUnit(unit: Unit): void;
}

/** One bar per day: its cost or its tokens. The day under the pointer or with the focus is described below the chart. */
export function DayChart({ days, rows, unit, onUnit }: DayChartProps) {
  const [pointed, setPointed] = useState<string>();
  const byDay = new Map(rows.map((row) => [row.name, row]));
  const hasCost = unit === undefined ? rows.some(({ cost }) => cost > 0) : unit === "dollars";
  const heightOf = (row: UsageRow) => (hasCost ? row.cost : tokensOf(row));
  const most = Math.max(...rows.map(heightOf), 0);
  const shown = hasCost ? dollars(most) : texts.usage.tokens(shortCount(most));
  const { chart } = texts.usage;
  const step = WIDTH / days.length;
  return (
    <figure className="day-chart">
      <figcaption className="day-head">
        <span>{hasCost ? chart.costCaption(shown) : chart.tokensCaption(shown)}</span>
        <fieldset className="day-units" aria-label={texts.usage.units.title}>
          {(["dollars", "tokens"] as const).map((choice) => (
            <button
              key={choice}
              type="button"
              className="button-quiet"
              aria-pressed={(choice === "dollars") === hasCost}
              onClick={() => onUnit(choice)}
            >
              {texts.usage.units[choice]}
            </button>
          ))}
        </fieldset>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={hasCost ? chart.cost(shown) : chart.tokens(shown)}
      >
        {days.map((day, index) => {
          const row = byDay.get(day);
          const height = row === undefined || most === 0 ? 0 : (heightOf(row) / most) * HEIGHT;
          return (
            <g key={day} onPointerEnter={() => setPointed(day)} onPointerLeave={() => setPointed(undefined)}>
              <rect className="day-space" x={index * step} y={0} width={step} height={HEIGHT} />
              <rect
                className="bar-written"
                x={index * step + step * 0.15}
                y={HEIGHT - height}
                width={step * 0.7}
                height={height}
              />
            </g>
          );
        })}
      </svg>
      <p className="day-range">
        <span>{dayText(days[0])}</span>
        <span>{dayText(days.at(-1))}</span>
      </p>
      <p className="day-value" role="status">
        {pointed !== undefined && describeDay(pointed, byDay.get(pointed))}
      </p>
    </figure>
  );
}

function describeDay(day: string, row: UsageRow | undefined): string {
  if (row === undefined) return texts.usage.chart.noCalls(dayText(day));
  return texts.usage.chart.day(dayText(row.name), dollars(row.cost), tokensOf(row), row.calls);
}

/** A day such as `2026-11-16` for the reader. */
function dayText(name: string | undefined): string {
  return name === undefined ? "" : utcDay(Date.parse(name));
}
