import type { DragomanClient } from "../../client/client.js";
import type { ConfigOption } from "../agent-messages.js";

/** The id of the only option that we have. */
export const MODEL = "model";

/** What a client can choose for a session: the model, from those that can answer. */
export async function configOptions(client: DragomanClient, current: string): Promise<ConfigOption[]> {
  const { models } = await client.call("models.list", {});
  const ready = models.filter((model) => model.ready).map(({ id }) => id);
  const options = (ready.includes(current) ? ready : [current, ...ready]).map((value) => ({
    value,
    name: value,
  }));
  return [{ id: MODEL, name: "Model", category: MODEL, type: "select", currentValue: current, options }];
}
