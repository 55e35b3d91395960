import { type Provider, providers } from "../convert/check.js";
import { usageError } from "./arguments.js";

/** The provider that `--for` names. */
export function providerOf(name: string | undefined): Provider | undefined {
  const provider = providers.find((known) => known === name);
  if (name === undefined || provider !== undefined) return provider;
  throw usageError(`unknown provider "${name}"; use ${providers.join(", ")}`);
}
