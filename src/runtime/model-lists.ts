import { DragomanError } from "../core/error.js";
import { joinPointer } from "../core/json/pointer.js";
import { AGENT_PREFIX, isProvider, modelsNamed } from "./model-names.js";
import type { Config } from "./schema.js";

/** What is wrong with a list of models, and where in the configuration. */
export interface WrongMember {
  at: string;
  message: string;
  hint?: string;
}

/** The first member of a list under `aliases` that is not a model, or that leads back to its own list. */
export function findWrongMember(config: Config): WrongMember | undefined {
  for (const [alias, target] of Object.entries(config.aliases ?? {})) {
    if (typeof target === "string") continue;
    const list = joinPointer("/aliases", alias);
    if (alias.startsWith(AGENT_PREFIX)) {
      return { at: list, message: `"${alias}" is the name of an agent`, hint: "give the list another name" };
    }
    for (const [index, member] of target.models.entries()) {
      const at = `${list}/models/${index}${typeof member === "string" ? "" : "/model"}`;
      const problem = problemOf(config, alias, typeof member === "string" ? member : member.model);
      if (problem !== undefined) return { at, ...problem };
    }
  }
  return undefined;
}

function problemOf(config: Config, alias: string, member: string): Omit<WrongMember, "at"> | undefined {
  try {
    for (const { name } of modelsNamed(config, member, [alias])) {
      const [provider = "", model = ""] = name.split("/");
      if (name.startsWith(AGENT_PREFIX)) {
        return { message: `"${member}" is an agent, and a list can contain only models` };
      }
      if (model === "" || !isProvider(config, provider)) return { message: `"${member}" is not a model` };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { message, hint } = error;
    return { message, ...(hint === undefined ? {} : { hint }) };
  }
}
