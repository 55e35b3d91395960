import { demoModels } from "../providers/demo/index.js";
import { AGENT_PREFIX, resolveName } from "../runtime/model-names.js";
import type { Runtime } from "../runtime/runtime.js";
import { usableAgents } from "./auth/permit.js";
import { refuse } from "./refusals.js";
import type { Permit } from "./types.js";

const DEMO = "demo/";

/**
 * The models that the operator offers to the holder of a token: those that its agents run on, and those that the configuration
 * lists under `models` and `aliases`. A demo model does what the client's text says, tools included, so that all of them are offered only
 * where every agent runs on one.
 */
export function offeredModels(
  { agents, config }: Pick<Runtime, "agents" | "config">,
  permit: Permit,
): string[] {
  const modelOf = (id: string) => resolveName(config, agents.modelOf(id));
  const isTrial = agents.ids.every((id) => modelOf(id).startsWith(DEMO));
  return [
    ...new Set([
      ...usableAgents(permit, agents.ids).map(modelOf),
      ...Object.keys(config.models ?? {}),
      ...Object.values(config.aliases ?? {}).filter((target) => !target.startsWith(AGENT_PREFIX)),
      ...(isTrial ? demoModels.map((id) => `${DEMO}${id}`) : []),
    ]),
  ];
}

/** Refuses a model that is not offered; the scope `admin` may choose any. */
export function requireOffered(
  runtime: Pick<Runtime, "agents" | "config">,
  permit: Permit,
  model: string,
): void {
  if (permit.scope === "admin") return;
  const offered = offeredModels(runtime, permit);
  if (offered.includes(resolveName(runtime.config, model))) return;
  throw refuse(
    "forbidden",
    `this gateway does not offer the model ${JSON.stringify(model)} to this token; list it under "models" in the configuration, or use a token of scope admin`,
    { details: { offered } },
  );
}
