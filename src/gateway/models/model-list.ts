import { type DirectoryEntry, ModelDirectory } from "../../runtime/model-directory.js";
import { AGENT_PREFIX, isProvider, modelsNamed } from "../../runtime/model-names.js";
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
    this.#directory = new ModelDirectory(() => runtime.config, runtime.world);
    this.#started = now();
  }

  /**
   * The models that a token may use: its agents, the aliases, and the models offered to it. The scope `admin` may use every
   * model, and sees the models of all providers with credentials.
   */
  async list(permit: Permit): Promise<ListedModel[]> {
    const { agents, config } = this.#runtime;
    const aliases = Object.keys(config.aliases ?? {}).filter((alias) => this.#mayUse(permit, alias));
    const all = permit.scope === "admin" ? await this.#directory.list() : [];
    const listed = [
      ...usableAgents(permit, agents.ids).map((id) => this.#agent(id)),
      ...aliases.map((alias) => ({
        ...this.#named(alias),
        id: alias,
        title: `${alias} (${this.#namesOf(alias).join(", ")})`,
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
    const called = calledModel(this.#runtime, family, id);
    const offered = permit.scope === "admin" ? undefined : offeredModels(this.#runtime, permit);
    const isUsable = this.#namesOf(called).every(
      (name) => this.#isModel(name) && (offered === undefined || offered.includes(name)),
    );
    if (isUsable) return { ...this.#named(called), id };
    throw refuseFailure({ code: "provider/unknown", message: `there is no model ${JSON.stringify(id)}` });
  }

  #namesOf(name: string): string[] {
    return modelsNamed(this.#runtime.config, name).map((model) => model.name);
  }

  #isModel(name: string): boolean {
    const [provider = ""] = name.split("/");
    return isProvider(this.#runtime.config, provider) && !name.startsWith(AGENT_PREFIX);
  }

  #mayUse(permit: Permit, alias: string): boolean {
    return this.#namesOf(alias).every(
      (name) => !name.startsWith(AGENT_PREFIX) || mayUse(permit, name.slice(AGENT_PREFIX.length)),
    );
  }

  #named(name: string): ListedModel {
    const { agents } = this.#runtime;
    const [first = name] = this.#namesOf(name);
    const agent = first.startsWith(AGENT_PREFIX) ? first.slice(AGENT_PREFIX.length) : "";
    return agents.ids.includes(agent) ? this.#agent(agent) : this.#described(name);
  }

  /** Of a list of models the first one, with the limits of the whole list. */
  #described(name: string): ListedModel {
    const [first = name, ...others] = this.#namesOf(name);
    const model = this.#model(this.#directory.describe(first));
    return others.length === 0 ? model : { ...model, card: this.#runtime.connect(name).card };
  }

  #agent(id: string): ListedModel {
    const { agents, config } = this.#runtime;
    return {
      ...this.#described(agents.modelOf(id)),
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
