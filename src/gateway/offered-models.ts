import { demoModels } from "../providers/demo/index.js";
import { AGENT_PREFIX, modelsNamed } from "../runtime/model-names.js";
import type { Runtime } from "../runtime/runtime.js";
import { usableAgents } from "./auth/permit.js";
import { refuse } from "./refusals.js";
import type { Permit } from "./types.js";

const DEMO = "demo/";

/**
 * The models offered to a token's holder: those of its agents, and those that the configuration lists under `models` and
 * `aliases`. A demo model follows the client's text, tool calls included, so demo models are offered only if every agent runs
 * on one.
 */
export function offeredModels(
  { agents, config }: Pick<Runtime, "agents" | "config">,
  permit: Permit,
): string[] {
  const namesOf = (name: string) => modelsNamed(config, name).map((model) => model.name);
  const modelsOf = (id: string) => namesOf(agents.modelOf(id));
  const isTrial = agents.ids.flatMap(modelsOf).every((name) => name.startsWith(DEMO));
  return [
    ...new Set([
      ...usableAgents(permit, agents.ids)
        .filter((id) => !agents.isProgram(id))
        .flatMap(modelsOf),
      ...Object.keys(config.models ?? {}),
      ...Object.keys(config.aliases ?? {})
        .flatMap(namesOf)
        .filter((name) => !name.startsWith(AGENT_PREFIX)),
      ...(isTrial ? demoModels.keys() : []),
    ]),
  ];
}

/** Refuses a model that is not offered; scope `admin` may choose any. */
export function requireOffered(
  runtime: Pick<Runtime, "agents" | "config">,
  permit: Permit,
  model: string,
): void {
  if (permit.scope === "admin") return;
  const offered = offeredModels(runtime, permit);
  if (modelsNamed(runtime.config, model).every(({ name }) => offered.includes(name))) return;
  throw refuse(
    "forbidden",
    `this gateway does not offer the model ${JSON.stringify(model)} to this token; list it under "models" in the configuration, or use a token with scope admin`,
    { details: { offered } },
  );
}
