import { DragomanError } from "../../core/error.js";
import type { ModelCard } from "../../providers/catalogue.js";
import { endpoints } from "../../providers/endpoints.js";
import { world } from "../../providers/world.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import { checkCredentials } from "../../runtime/model-access.js";
import { type ListedEntry, ModelDirectory } from "../../runtime/model-directory.js";
import { isProvider, modelsNamed, type NamedModel } from "../../runtime/model-names.js";
import { connector } from "../../runtime/models.js";
import type { Config } from "../../runtime/schema.js";
import { usageError } from "../arguments.js";
import type { Arguments } from "../declaration.js";
import { reportLine } from "../terminal/report-line.js";
import { shownText } from "../terminal/shown-text.js";
import { format, listing } from "../terminal/table.js";
import type { listCommand } from "./commands.js";

interface Row extends ListedEntry {
  /** The other name that it is listed under. */
  alias?: string;
  /** The models of a list, in the order in which they are asked; `name` is the first. */
  models?: readonly NamedModel[];
}

export async function run({ values }: Arguments<typeof listCommand>): Promise<number> {
  const { provider, json } = values;
  const config = await readConfig(homeFolder(process.env, values.home), process.env);
  const providers = [...new Set([...Object.keys(endpoints), ...Object.keys(config.providers ?? {}), "demo"])];
  if (provider !== undefined && !isProvider(config, provider)) {
    throw usageError(`--provider must be one of ${providers.join(", ")}, not "${provider}"`);
  }
  const directory = new ModelDirectory(() => config, world);
  const rows = (await rowsOf(config, directory)).filter(
    ({ name, models = [{ name }] }) =>
      provider === undefined || models.some((model) => model.name.startsWith(`${provider}/`)),
  );
  if (json === true) process.stdout.write(`${JSON.stringify(rows.map(asJson))}\n`);
  else process.stdout.write(shownText(`${textOf(rows)}\n`));
  if (json !== true) await reportMissing(config, provider === undefined ? providers : [provider]);
  return 0;
}

async function rowsOf(config: Config, directory: ModelDirectory): Promise<Row[]> {
  const aliases = Object.keys(config.aliases ?? {});
  const named = await Promise.all(aliases.map((alias) => aliasRow(alias, config, directory)));
  return [...named, ...(await directory.list())];
}

async function aliasRow(alias: string, config: Config, directory: ModelDirectory): Promise<Row> {
  const models = modelsNamed(config, alias);
  const described = await directory.withReadiness(models.map(({ name }) => directory.describe(name)));
  const [first] = described;
  if (first === undefined) throw new Error(`the alias ${alias} names no model`);
  if (models.length < 2) return { ...first, alias };
  const { card } = connector(config)(alias);
  return { ...first, card, isReady: described.every(({ isReady }) => isReady), alias, models };
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
    reportLine(
      `no key for ${names}; \`dragoman keys set PROVIDER\` stores one, \`dragoman models --provider PROVIDER\` reports what else can be set`,
    );
  } else if (keyVariables.length === 0) reportLine(missing.get(only) ?? "");
  else {
    reportLine(`no key for ${only}: run \`dragoman keys set ${only}\`, or set ${keyVariables.join(" or ")}`);
  }
}

function textOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, alias, models = [{ name }], card, isReady }) => [
    alias === undefined ? name : `${alias} → ${models.map(modelText).join(", ")}`,
    card.contextWindow === undefined ? "" : format(card.contextWindow),
    card.maxOutput === undefined ? "" : format(card.maxOutput),
    pricesOf(card),
    isReady ? "yes" : "no",
  ]);
  return listing([["MODEL", "CONTEXT", "OUTPUT", "$ IN/OUT", "READY"], ...lines]).join("\n");
}

/** `openai/gpt-6.1-sol (overload, rateLimit)` */
function modelText({ name, on }: NamedModel): string {
  return on === undefined ? name : `${name} (${on.join(", ")})`;
}

function pricesOf({ prices }: ModelCard): string {
  return prices === undefined ? "" : `${prices.input}/${prices.output}`;
}

function asJson({ name, alias, models, card, isReady }: Row) {
  const { contextWindow, maxOutput, prices, released } = card;
  return {
    name,
    ...(alias === undefined ? {} : { alias }),
    ...(models === undefined ? {} : { models }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(prices === undefined ? {} : { prices }),
    ...(released === undefined ? {} : { released }),
    key: isReady,
  };
}
