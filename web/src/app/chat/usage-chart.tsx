import type { Usage } from "dragoman/core";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { count } from "../../transcript/numbers.js";

const [WIDTH, HEIGHT] = [480, 120];

/** One bar per answer: input below, output above. */
export function UsageChart({ usages }: { usages: readonly Usage[] }) {
  const t = texts.usage.session;
  const most = Math.max(1, ...usages.map(({ totalTokens }) => totalTokens));
  const step = WIDTH / Math.max(usages.length, 12);
  const label = t.chart(usages.length, count(most));
  return (
    <figure className="usage-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {usages.map(({ totalTokens, output }, index) => {
          const [whole, written] = [(totalTokens / most) * HEIGHT, (output / most) * HEIGHT];
          const x = index * step + step * 0.15;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other identity
            <g key={index}>
              <title>{t.answer(count(totalTokens - output), count(output))}</title>
              <rect
                className="bar-read"
                x={x}
                y={HEIGHT - whole + written}
                width={step * 0.7}
                height={whole - written}
                rx="2"
              />
              <rect
                className="bar-written"
                x={x}
                y={HEIGHT - whole}
                width={step * 0.7}
                height={written}
                rx="2"
              />
            </g>
          );
        })}
      </svg>
      <figcaption>
        <p>{label}</p>
        <RichText
          text={t.caption}
          input={<span className="key-read">{t.input}</span>}
          output={<span className="key-written">{t.output}</span>}
        />
      </figcaption>
    </figure>
  );
}
