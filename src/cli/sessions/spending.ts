import type { Usage } from "../../core/types.js";
import { format } from "../terminal/table.js";

/** `$1.23`, `$0.0012`; `≥ $1.23` if some prices are unknown, `?` if all are. */
export function money({ cost }: { cost: Pick<Usage["cost"], "total"> }, unknownPrices: boolean): string {
  if (unknownPrices && cost.total === 0) return "?";
  const amount = cost.total === 0 ? "$0" : `$${cost.total.toFixed(cost.total < 0.1 ? 4 : 2)}`;
  return unknownPrices ? `≥ ${amount}` : amount;
}

/** `412 in, 58 out, 90 from the cache` */
export function tokens({ input, output, cacheRead, cacheWrite }: Usage): string {
  const cached = [
    ...(cacheRead > 0 ? [`${format(cacheRead)} from the cache`] : []),
    ...(cacheWrite > 0 ? [`${format(cacheWrite)} to the cache`] : []),
  ];
  return [`${format(input)} in`, `${format(output)} out`, ...cached].join(", ");
}
