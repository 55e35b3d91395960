import { cardOf, type ModelCard } from "../../providers/catalogue.js";
import { demoModels } from "../../providers/demo/index.js";
import { endpoints } from "../../providers/endpoints.js";
import type { Runtime } from "../../runtime/runtime.js";
import { AGENT } from "./ask.js";
import { refusing } from "./failure.js";

export interface ListedModel {
  id: string;
  title: string;
  owner: string;
  card: ModelCard;
  /** Whether it calls the client's tools; an agent has its own. */
  takesTools: boolean;
}

/** Our agents, the models that the configuration names, and the demo models. Others can be asked all the same. */
export function listModels({ agents, config }: Runtime): ListedModel[] {
  const listed = [
    ...agents.ids.map((id) => agents.modelOf(id)),
    ...Object.keys(config.models ?? {}),
    ...demoModels.map((id) => `demo/${id}`),
  ];
  return [
    ...agents.ids.map((id) => ({
      id: `${AGENT}${id}`,
      title: config.agents?.[id]?.description ?? id,
      owner: "dragoman",
      card: modelNamed(agents.modelOf(id)).card,
      takesTools: false,
    })),
    ...[...new Set(listed)].map(modelNamed),
  ];
}

export function findModel(runtime: Runtime, id = ""): ListedModel {
  const listed = listModels(runtime).find((model) => model.id === id);
  if (listed !== undefined) return listed;
  const model = modelNamed(id);
  if (id.includes("/") && Object.hasOwn(endpoints, model.owner)) return model;
  throw refusing({ code: "provider/unknown", message: `there is no model "${id}"` });
}

function modelNamed(name: string): ListedModel {
  const [owner = "", ...rest] = name.split("/");
  return { id: name, title: name, owner, card: cardOf(owner, rest.join("/")), takesTools: true };
}
