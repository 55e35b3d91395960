import { texts } from "../../text/texts.js";
import { utcDay } from "../../transcript/dates.js";
import { dollars } from "../../transcript/numbers.js";
import type { UsageBudget } from "./use-usage.js";

/** Each token's budget, and how much of it is spent. */
export function BudgetList({ budgets }: { budgets: readonly UsageBudget[] }) {
  return (
    <section aria-labelledby="usage-budgets">
      <h2 id="usage-budgets">{texts.usage.budgets}</h2>
      <ul className="budgets">
        {budgets.map((budget) => (
          <Budget key={budget.token} {...budget} />
        ))}
      </ul>
    </section>
  );
}

function Budget({ token, name, dollars: limit, per, spent, remaining, resets }: UsageBudget) {
  const amounts = texts.usage.budget[per](dollars(spent), dollars(limit));
  return (
    <li data-spent={remaining === 0}>
      <span title={token}>{name}</span>
      <span>{remaining === 0 ? texts.usage.spent(amounts) : amounts}</span>
      <meter aria-label={`${name}: ${amounts}`} min={0} max={limit} value={Math.min(spent, limit)} />
      <small>{texts.usage.resets(utcDay(resets))}</small>
    </li>
  );
}
