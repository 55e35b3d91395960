import { DragomanError } from "../../core/error.js";
import type { ModelCard } from "../../providers/catalogue.js";
import { endpoints } from "../../providers/endpoints.js";
import { world } from "../../providers/world.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import { checkCredentials } from "../../runtime/model-access.js";
import { type ListedEntry, ModelDirectory } from "../../runtime/model-directory.js";
import { isProvider } from "../../runtime/model-names.js";
import type { Config } from "../../runtime/schema.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { reportLine } from "../terminal/report-line.js";
import { shownText } from "../terminal/shown-text.js";
import { format, table } from "../terminal/table.js";
import type { listCommand } from "./commands.js";

interface Row extends ListedEntry {
  /** The other name that it is listed under. */
  alias?: string;
}

export async function run({ values }: Arguments<typeof listCommand>): Promise<number> {
  const { provider, json } = values;
  const config = await readConfig(homeFolder(process.env, values.home), process.env);
  const providers = [...new Set([...Object.keys(endpoints), ...Object.keys(config.providers ?? {}), "demo"])];
  if (provider !== undefined && !isProvider(config, provider)) {
    throw usageError(`--provider must be one of ${providers.join(", ")}, not "${provider}"`);
  }
  const directory = new ModelDirectory(config, world);
  const rows = (await rowsOf(config, directory)).filter(
    ({ name }) => provider === undefined || name.startsWith(`${provider}/`),
  );
  if (json === true) process.stdout.write(`${JSON.stringify(rows.map(asJson))}\n`);
  else process.stdout.write(shownText(`${textOf(rows)}\n`));
  if (json !== true) await reportMissing(config, provider === undefined ? providers : [provider]);
  return 0;
}

async function rowsOf({ aliases = {} }: Config, directory: ModelDirectory): Promise<Row[]> {
  const named = Object.entries(aliases).map(([alias, target]) => ({ ...directory.describe(target), alias }));
  return [...(await directory.withReadiness(named)), ...(await directory.list())];
}

async function reportMissing(config: Config, providers: readonly string[]): Promise<void> {
  const missing = new Map<string, string>();
  for (const provider of providers) {
    await checkCredentials(`${provider}/`, { config }, world).catch((error: unknown) => {
      if (!(error instanceof DragomanError)) throw error;
      missing.set(provider, `${error.message}: ${error.hint ?? ""}`);
    });
  }
  const [only, ...others] = missing.keys();
  if (only === undefined) return;
  const { keyVariables = [] } = endpoints[only] ?? {};
  if (others.length > 0) {
    const names = [...missing.keys()].join(", ");
    reportLine(`no key for ${names}; \`dragoman models --provider P\` reports what to set`);
  } else if (keyVariables.length === 0) reportLine(missing.get(only) ?? "");
  else {
    const variables = keyVariables.join(" or ");
    reportLine(`no key for ${only}: set ${variables}, or "apiKey" under "providers" in the configuration`);
  }
}

function textOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, alias, card, isReady }) => [
    alias === undefined ? name : `${alias} → ${name}`,
    card.contextWindow === undefined ? "" : format(card.contextWindow),
    card.maxOutput === undefined ? "" : format(card.maxOutput),
    pricesOf(card),
    isReady ? "yes" : "no",
  ]);
  return table([["MODEL", "CONTEXT", "OUTPUT", "$ IN/OUT", "KEY"], ...lines]).join("\n");
}

function pricesOf({ prices }: ModelCard): string {
  return prices === undefined ? "" : `${prices.input}/${prices.output}`;
}

function asJson({ name, alias, card, isReady }: Row) {
  const { contextWindow, maxOutput, prices, released } = card;
  return {
    name,
    ...(alias === undefined ? {} : { alias }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(prices === undefined ? {} : { prices }),
    ...(released === undefined ? {} : { released }),
    key: isReady,
  };
}
