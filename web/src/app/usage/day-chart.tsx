import { texts } from "../../text/texts.js";
import { utcDay } from "../../transcript/dates.js";
import { dollars, shortCount } from "../../transcript/numbers.js";
import type { UsageRow } from "./use-usage.js";

const [WIDTH, HEIGHT] = [720, 140];

const tokensOf = ({ input, output, cacheRead, cacheWrite }: UsageRow) =>
  input + output + cacheRead + cacheWrite;

/** One bar per day: its cost, or its tokens if no cost is known. */
export function DayChart({ days, rows }: { days: readonly string[]; rows: readonly UsageRow[] }) {
  const byDay = new Map(rows.map((row) => [row.name, row]));
  const hasCost = rows.some(({ cost }) => cost > 0);
  const heightOf = (row: UsageRow) => (hasCost ? row.cost : tokensOf(row));
  const most = Math.max(...rows.map(heightOf), 0);
  const shown = hasCost ? dollars(most) : texts.usage.tokens(shortCount(most));
  const { chart } = texts.usage;
  const step = WIDTH / days.length;
  return (
    <figure className="day-chart">
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
            <g key={day}>
              <title>{row === undefined ? chart.noCalls(dayText(day)) : describe(row)}</title>
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
      <figcaption>
        <span>{dayText(days[0])}</span>
        <span>{hasCost ? chart.costCaption(shown) : chart.tokensCaption(shown)}</span>
        <span>{dayText(days.at(-1))}</span>
      </figcaption>
    </figure>
  );
}

function describe(row: UsageRow): string {
  return texts.usage.chart.day(dayText(row.name), dollars(row.cost), tokensOf(row), row.calls);
}

/** A day such as `2026-11-16` for the reader. */
function dayText(name: string | undefined): string {
  return name === undefined ? "" : utcDay(Date.parse(name));
}
