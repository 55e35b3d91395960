import { dollars } from "../../transcript/numbers.js";
import type { UsageBudget } from "./use-usage.js";

/** Each token's budget, and how much of it is spent. */
export function BudgetList({ budgets }: { budgets: readonly UsageBudget[] }) {
  return (
    <section aria-labelledby="usage-budgets">
      <h2 id="usage-budgets">Budgets</h2>
      <ul className="budgets">
        {budgets.map((budget) => (
          <Budget key={budget.token} {...budget} />
        ))}
      </ul>
    </section>
  );
}

function Budget({ token, name, dollars: limit, per, spent, remaining, resets }: UsageBudget) {
  const label = `${name}: ${dollars(spent)} of ${dollars(limit)} per ${per}`;
  return (
    <li data-spent={remaining === 0}>
      <span title={token}>{name}</span>
      <span>
        {dollars(spent)} of {dollars(limit)} per {per}
        {remaining === 0 && ", spent"}
      </span>
      <meter aria-label={label} min={0} max={limit} value={Math.min(spent, limit)} />
      <small>Resets {new Date(resets).toISOString().slice(0, 10)} (UTC)</small>
    </li>
  );
}
