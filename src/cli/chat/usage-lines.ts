import { isObject } from "../../core/json/value.js";
import { isSilent } from "../../core/message/failure.js";
import { isPriceUnknown, sumUsage } from "../../core/message/usage.js";
import type { AgentMessage, Usage } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { plain } from "../sessions/plain.js";
import { format } from "../terminal/table.js";

interface Spent {
  usages: Usage[];
  unknown: boolean;
}

/** Tokens and cost of a session, by model and in total. */
export function usageLines(messages: readonly AgentMessage[]): string[] {
  const models = new Map<string, Spent>();
  const spend = (model: string, usage: Usage, unknown: boolean) => {
    const spent = models.get(model) ?? { usages: [], unknown: false };
    spent.usages.push(usage);
    spent.unknown ||= unknown;
    models.set(model, spent);
  };
  for (const message of messages) {
    if (message.role === "assistant") {
      // Rejected requests used nothing.
      if (isSilent(message) && !isPriceUnknown(message)) continue;
      spend(`${message.provider}/${message.model}`, message.usage, isPriceUnknown(message));
    } else if (message.role === "compaction" && isObject(message.details)) {
      const { model, usage } = message.details;
      if (typeof model === "string" && is("Usage", usage)) spend(model, usage, usage.cost.total === 0);
    }
  }
  if (models.size === 0) return ["no answers yet"];
  const lines = [...models].flatMap(([model, spent]) => [plain(model), `  ${usageText(spent)}`]);
  if (models.size === 1) return lines;
  const all = [...models.values()];
  const total = { usages: all.flatMap(({ usages }) => usages), unknown: all.some(({ unknown }) => unknown) };
  return [...lines, "total", `  ${usageText(total)}`];
}

/** `1,234 in · 567 out · 8,000 from the cache · $0.0123` */
function usageText({ usages, unknown }: Spent): string {
  const { input, output, cacheRead, cacheWrite, cost } = sumUsage(usages);
  const parts = [
    `${format(input)} in`,
    `${format(output)} out`,
    ...(cacheRead > 0 ? [`${format(cacheRead)} from the cache`] : []),
    ...(cacheWrite > 0 ? [`${format(cacheWrite)} to the cache`] : []),
    price(cost.total, unknown),
  ];
  return parts.join(" · ");
}

function price(dollars: number, unknown: boolean): string {
  if (unknown && dollars === 0) return "price unknown";
  const told = dollars >= 1 || dollars === 0 ? dollars.toFixed(2) : Number(dollars.toPrecision(2)).toString();
  return `$${told}${unknown ? " plus an unknown amount" : ""}`;
}
