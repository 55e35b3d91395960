import { DragomanError } from "../../core/error.js";
import { catalogue } from "../../providers/catalogue-data.js";
import { checkAccess } from "../../runtime/model-access.js";
import { resolveName } from "../../runtime/model-names.js";
import type { Runtime } from "../../runtime/runtime.js";
import { refuseFailure } from "./failure.js";
import type { NamedFamily } from "./family.js";

/** The maximum number of suggested names. */
const SUGGESTIONS = 3;

/**
 * The model or agent that a client means: `claude-opus-4-8` is `anthropic/claude-opus-4-8` in Anthropic's API. A bare name
 * is refused, with a suggestion, if its provider has no credentials.
 */
export function calledModel(
  runtime: Pick<Runtime, "config" | "world">,
  { api, provider: usual }: Pick<NamedFamily, "api" | "provider">,
  name: string,
): string {
  const { config, world } = runtime;
  const chosen = config.gateway?.defaultProviders?.[api];
  const provider = chosen ?? usual;
  const full = resolveName(config, name);
  const model = resolveName(config, name, { provider, isChosen: chosen !== undefined });
  if (model === full) return model;
  try {
    checkAccess(model, runtime, world.env);
    return model;
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const because = `it means ${model} here, and ${error.message}`;
    throw refuseFailure({
      code: "provider/unknown",
      message: `there is no model ${JSON.stringify(name)}: ${because}; ${whatToDo(full, model)}`,
    });
  }
}

function whatToDo(name: string, meant: string): string {
  const known = Object.keys(catalogue).filter((full) => full.endsWith(`/${name}`));
  const full =
    known.length === 0 ? "provider/model, such as demo/echo" : known.slice(0, SUGGESTIONS).join(" or ");
  const first = known.includes(meant) ? "give the gateway that key" : `write ${full}`;
  return `${first}, or add ${JSON.stringify(name)} to "aliases" in the configuration`;
}
