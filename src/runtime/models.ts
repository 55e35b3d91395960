import { cardOf, extendCatalogue } from "../providers/catalogue.js";
import { type ConnectOptions, connect, type Model } from "../providers/connect.js";
import type { Config } from "./schema.js";

/** What answers when nobody chose a model: it needs no key and no network. */
export const DEFAULT_MODEL = "demo/echo";

/** Connects to models as the configuration says. */
export type Connect = (name: string) => Model;

export function connector(config: Config, options: Pick<ConnectOptions, "fetch" | "world"> = {}): Connect {
  for (const [name, card] of Object.entries(config.models ?? {})) {
    const [provider = "", ...id] = name.split("/");
    extendCatalogue({ [name]: { ...cardOf(provider, id.join("/")), ...card } });
  }
  return (name) => {
    const [provider = ""] = name.split("/");
    return connect(name, { ...config.providers?.[provider], ...options });
  };
}
