import { DragomanError } from "../../core/error.js";
import type { Connector } from "../connectors.js";
import { echo } from "./echo.js";
import { embedTexts } from "./embed.js";
import { script } from "./script.js";
import { tools } from "./tools.js";

const models = { echo, tools, script };

const descriptions: Readonly<Record<keyof typeof models, string>> = {
  echo: "This demo model repeats your message.",
  tools: "This demo model calls the agent's tools and reports the results.",
  script: "This demo model follows the steps that you write, such as “say: hello”.",
};

/** What each model does, by its full name: `demo/echo`. */
export const demoModels: ReadonlyMap<string, string> = new Map(
  Object.entries(descriptions).map(([id, description]) => [`demo/${id}`, description]),
);

/**
 * Deterministic models that run in this process without a key: `demo/echo` repeats the message, `demo/tools` calls each
 * tool, `demo/script` follows a script, including failures. They are for trying things out and for tests.
 */
export const demo: Connector = {
  stream: ({ id }, context, options) => find(id)(context, options),
  async embed({ id }, texts, options) {
    find(id);
    return embedTexts(texts, options);
  },
};

function find(id: string): (typeof models)[keyof typeof models] {
  const model = Object.entries(models).find(([name]) => name === id)?.[1];
  if (model !== undefined) return model;
  throw new DragomanError("provider/unknown", `there is no demo model "${id}"`, {
    hint: `there are ${Object.keys(models).join(", ")}`,
  });
}
