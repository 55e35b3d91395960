import { MAIN } from "../runtime/agents.js";
import type { Conversation } from "../runtime/conversation.js";
import { dollarText } from "../runtime/usage/budget.js";
import type { Caller, Gateway } from "./types.js";

type World = Pick<Gateway, "runtime">;

/** Throws if the caller's budget does not allow a call of this model, before anything is stored or sent. */
export async function requireBudget({ runtime }: World, { token }: Caller, model: string): Promise<void> {
  await runtime.usage.require(token, runtime.connect(model));
}

/** The same for the model of a conversation. */
export async function requireBudgetFor(
  world: World,
  caller: Caller,
  conversation: Conversation,
): Promise<void> {
  const { agent = MAIN } = conversation.session.header;
  await requireBudget(world, caller, world.runtime.agents.modelOf(agent, await conversation.meta()));
}

/** What is left of the budget of a request's sender, in dollars. */
export async function budgetHeaders(
  { runtime }: World,
  { token, budget }: Caller,
): Promise<Readonly<Record<string, string>>> {
  const status = budget === undefined ? undefined : await runtime.usage.status(token);
  if (status === undefined) return {};
  return {
    "x-dragoman-budget-remaining": dollarText(status.remaining),
    "x-dragoman-budget-reset": new Date(status.resets).toISOString(),
  };
}
