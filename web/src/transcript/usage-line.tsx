import { texts } from "../text/texts.js";
import { count, dollars, shortCount } from "./numbers.js";
import type { UsagePart } from "./parts.js";
import { visible } from "./visible-text.js";

/** `anthropic/claude · 1.2k in · 340 out · $0.0021`, or `openai/gpt instead of anthropic/claude (overloaded) · …` */
export function UsageLine({ part }: { part: UsagePart }) {
  const t = texts.transcript.usage;
  const { usage, model, fallback = "", stopped } = part;
  const name = `${model} ${fallback}`.trim();
  const used = [
    ...(usage.input > 0 ? [t.input(shortCount(usage.input))] : []),
    ...(usage.cacheRead > 0 ? [t.cached(shortCount(usage.cacheRead))] : []),
    ...(usage.output > 0 ? [t.output(shortCount(usage.output))] : []),
    ...costOf(part),
  ];
  const exact = t.exact(
    count(usage.input),
    count(usage.cacheRead),
    count(usage.cacheWrite),
    count(usage.output),
  );
  return (
    <p className="usage" title={exact}>
      {stopped !== undefined && <strong className="usage-stopped">{t.endings[stopped]}</strong>}
      {[...(name === "" ? [] : [visible(name)]), ...used].join(" · ")}
    </p>
  );
}

function costOf({ usage, priceUnknown }: UsagePart): string[] {
  const cost = dollars(usage.cost.total);
  if (usage.cost.total > 0) return [priceUnknown ? texts.transcript.usage.atLeast(cost) : cost];
  return priceUnknown || usage.totalTokens === 0 ? [] : [dollars(0)];
}
