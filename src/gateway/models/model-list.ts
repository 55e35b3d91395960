import { type DirectoryEntry, ModelDirectory } from "../../runtime/model-directory.js";
import { AGENT_PREFIX, isProvider, resolveName } from "../../runtime/model-names.js";
import { mayUse, usableAgents } from "../auth/permit.js";
import { offeredModels } from "../offered-models.js";
import type { Gateway, Permit } from "../types.js";
import { calledModel } from "./called-model.js";
import { refuseFailure } from "./failure.js";
import type { NamedFamily } from "./family.js";

export interface ListedModel extends Pick<DirectoryEntry, "card"> {
  /** The name that clients use. */
  id: string;
  title: string;
  owner: string;
  /** Unix milliseconds: the model's release, or else the gateway's start. */
  created: number;
  /** Whether it can call the client's tools; an agent has its own. */
  usesClientTools: boolean;
}

/** The models that clients can list. */
export class ModelList {
  readonly #runtime: Gateway["runtime"];
  readonly #directory: ModelDirectory;
  readonly #started: number;

  constructor({ runtime, now }: Pick<Gateway, "runtime" | "now">) {
    this.#runtime = runtime;
    this.#directory = new ModelDirectory(runtime.config, runtime.world);
    this.#started = now();
  }

  /**
   * The models that a token may use: its agents, the aliases, and the models offered to it. The scope `admin` may use every
   * model, and sees the models of all providers with credentials.
   */
  async list(permit: Permit): Promise<ListedModel[]> {
    const { agents, config } = this.#runtime;
    const aliases = Object.entries(config.aliases ?? {}).filter(([, target]) => this.#mayUse(permit, target));
    const all = permit.scope === "admin" ? await this.#directory.list() : [];
    const listed = [
      ...usableAgents(permit, agents.ids).map((id) => this.#agent(id)),
      ...aliases.map(([alias, target]) => ({
        ...this.#named(target),
        id: alias,
        title: `${alias} (${target})`,
      })),
      ...offeredModels(this.#runtime, permit).map((name) => this.#named(name)),
      ...all.filter(({ isReady }) => isReady).map((entry) => this.#model(entry)),
    ];
    return [...new Map(listed.reverse().map((model) => [model.id, model])).values()].reverse();
  }

  /** One model, by any name that a call may use. */
  async find(permit: Permit, family: Pick<NamedFamily, "api" | "provider">, id = ""): Promise<ListedModel> {
    const listed = (await this.list(permit)).find((model) => model.id === id);
    if (listed !== undefined) return listed;
    const { config } = this.#runtime;
    const name = calledModel(this.#runtime, family, id);
    const [provider = ""] = name.split("/");
    const isKnown = isProvider(config, provider) && !name.startsWith(AGENT_PREFIX);
    const isOffered = permit.scope === "admin" || offeredModels(this.#runtime, permit).includes(name);
    if (isKnown && isOffered) return { ...this.#named(name), id };
    throw refuseFailure({ code: "provider/unknown", message: `there is no model ${JSON.stringify(id)}` });
  }

  #mayUse(permit: Permit, target: string): boolean {
    return !target.startsWith(AGENT_PREFIX) || mayUse(permit, target.slice(AGENT_PREFIX.length));
  }

  #named(name: string): ListedModel {
    const { agents } = this.#runtime;
    const agent = name.startsWith(AGENT_PREFIX) ? name.slice(AGENT_PREFIX.length) : "";
    return agents.ids.includes(agent) ? this.#agent(agent) : this.#model(this.#directory.describe(name));
  }

  #agent(id: string): ListedModel {
    const { agents, config } = this.#runtime;
    return {
      ...this.#model(this.#directory.describe(resolveName(config, agents.modelOf(id)))),
      id: `${AGENT_PREFIX}${id}`,
      title: config.agents?.[id]?.description ?? id,
      owner: "dragoman",
      created: this.#started,
      usesClientTools: false,
    };
  }

  #model({ name, card, created = this.#started }: DirectoryEntry): ListedModel {
    const [owner = ""] = name.split("/");
    return { id: name, title: name, owner, card, created, usesClientTools: true };
  }
}
