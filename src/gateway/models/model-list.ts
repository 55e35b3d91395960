import { cardOf, type ModelCard } from "../../providers/catalogue.js";
import { endpoints } from "../../providers/endpoints.js";
import type { Runtime } from "../../runtime/runtime.js";
import { usableAgents } from "../auth/permit.js";
import { offeredModels } from "../offered-models.js";
import type { Permit } from "../types.js";
import { refuseFailure } from "./failure.js";
import { AGENT_PREFIX } from "./serve-call.js";

export interface ListedModel {
  id: string;
  title: string;
  owner: string;
  card: ModelCard;
  /** Whether it calls the client's tools; an agent has its own. */
  usesClientTools: boolean;
}

/** The agents that a token may use, and the models that it is offered. The scope `admin` may ask others, too. */
export function listModels(runtime: Runtime, permit: Permit): ListedModel[] {
  const { agents, config } = runtime;
  return [
    ...usableAgents(permit, agents.ids).map((id) => ({
      id: `${AGENT_PREFIX}${id}`,
      title: config.agents?.[id]?.description ?? id,
      owner: "dragoman",
      card: modelNamed(agents.modelOf(id)).card,
      usesClientTools: false,
    })),
    ...offeredModels(runtime, permit).map(modelNamed),
  ];
}

export function findModel(runtime: Runtime, permit: Permit, id = ""): ListedModel {
  const listed = listModels(runtime, permit).find((model) => model.id === id);
  if (listed !== undefined) return listed;
  const model = modelNamed(id);
  const isKnown = id.includes("/") && Object.hasOwn(endpoints, model.owner);
  if (isKnown && permit.scope === "admin") return model;
  throw refuseFailure({ code: "provider/unknown", message: `there is no model "${id}"` });
}

function modelNamed(name: string): ListedModel {
  const [owner = "", ...rest] = name.split("/");
  return { id: name, title: name, owner, card: cardOf(owner, rest.join("/")), usesClientTools: true };
}
