import { count, dollars, shortCount } from "./numbers.js";
import type { UsagePart } from "./parts.js";
import { visible } from "./visible-text.js";

const endings = { length: "cut off at the length limit", aborted: "stopped" };

/** `anthropic/claude · 1.2k in · 340 out · $0.0021`, or `openai/gpt instead of anthropic/claude (overloaded) · …` */
export function UsageLine({ part }: { part: UsagePart }) {
  const { usage, model, fallback = "", stopped } = part;
  const name = `${model} ${fallback}`.trim();
  const used = [
    ...(usage.input > 0 ? [`${shortCount(usage.input)} in`] : []),
    ...(usage.cacheRead > 0 ? [`${shortCount(usage.cacheRead)} cached`] : []),
    ...(usage.output > 0 ? [`${shortCount(usage.output)} out`] : []),
    ...costOf(part),
  ];
  const exact = `${count(usage.input)} in, ${count(usage.cacheRead)} cache read, ${count(usage.cacheWrite)} cache write, ${count(usage.output)} out`;
  return (
    <p className="usage" title={exact}>
      {stopped !== undefined && <strong className="usage-stopped">{endings[stopped]}</strong>}
      {[...(name === "" ? [] : [visible(name)]), ...used].join(" · ")}
    </p>
  );
}

function costOf({ usage, priceUnknown }: UsagePart): string[] {
  if (usage.cost.total > 0) return [`${dollars(usage.cost.total)}${priceUnknown ? " or more" : ""}`];
  return priceUnknown || usage.totalTokens === 0 ? [] : [dollars(0)];
}
