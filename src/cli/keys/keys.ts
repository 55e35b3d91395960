import { removeIn, setIn } from "../../core/json/edit.js";
import { endpoints } from "../../providers/endpoints.js";
import { findKey } from "../../providers/keys.js";
import { changeConfig, configPath, homeFolder, readConfig } from "../../runtime/config.js";
import { isProvider } from "../../runtime/model-names.js";
import type { Config } from "../../runtime/schema.js";
import { usageError } from "../arguments.js";
import { reportChange } from "../config/report-change.js";
import type { Arguments } from "../declaration.js";
import { writeResult } from "../sessions/result.js";
import { suggest } from "../suggest.js";
import { reportLine } from "../terminal/report-line.js";
import { askHidden, secretFromInput } from "../terminal/secret-input.js";
import { shownText } from "../terminal/shown-text.js";
import { listing } from "../terminal/table.js";
import type { keysListCommand, keysRemoveCommand, keysSetCommand } from "./commands.js";

interface KnownKey {
  provider: string;
  source: "config" | "environment";
  variable?: string;
}

const pathOf = (provider: string) => ["providers", provider, "apiKey"] as const;

export async function set({ values, words: [provider] }: Arguments<typeof keysSetCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  requireProvider(await readConfig(home, process.env), provider);
  const isPiped = values.stdin === true || process.stdin.isTTY !== true;
  const key = isPiped ? await secretFromInput() : await askHidden(`${provider} API key (not shown): `);
  if (!/^[\x21-\x7e]+$/.test(key)) throw usageError("an API key is one line of visible characters");
  await changeConfig(home, (text) => setIn(text, pathOf(provider), key));
  const file = configPath(home);
  await writeResult(values.json, "", { provider, source: "config", file });
  if (values.json === true) return 0;
  reportLine(`the ${provider} key is stored in ${file}, which only you can read`);
  await reportChange(home);
  return 0;
}

export async function list({ values }: Arguments<typeof keysListCommand>): Promise<number> {
  const config = await readConfig(homeFolder(process.env, values.home), process.env);
  const known = providersOf(config).flatMap((provider): KnownKey[] => {
    const { keyVariables = [] } = endpoints[provider] ?? {};
    const key = findKey(
      provider,
      keyVariables,
      config.providers?.[provider]?.apiKey,
      (name) => process.env[name],
    );
    if (key === undefined) return [];
    const { variable } = key;
    return [
      variable === undefined ? { provider, source: "config" } : { provider, source: "environment", variable },
    ];
  });
  const rows = known.map(({ provider, source, variable }) => [
    provider,
    source === "config" ? "config.json" : `the environment, ${variable}`,
  ]);
  const text = rows.length === 0 ? "" : listing([["PROVIDER", "KEY FROM"], ...rows]).join("\n");
  await writeResult(values.json, shownText(text), known);
  if (rows.length === 0 && values.json !== true) {
    reportLine("no provider has a key; `dragoman keys set PROVIDER` stores one");
  }
  return 0;
}

export async function remove({
  values,
  words: [provider],
}: Arguments<typeof keysRemoveCommand>): Promise<number> {
  const home = homeFolder(process.env, values.home);
  const config = await readConfig(home, process.env);
  requireProvider(config, provider);
  const removed = config.providers?.[provider]?.apiKey !== undefined;
  if (removed) await changeConfig(home, (text) => removeIn(text, pathOf(provider)));
  await writeResult(values.json, "", { provider, removed });
  if (values.json === true) return 0;
  reportLine(removed ? `the ${provider} key is removed` : `no ${provider} key is stored`);
  if (removed) await reportChange(home);
  return 0;
}

function providersOf({ providers = {} }: Config): string[] {
  return [...new Set([...Object.keys(endpoints), ...Object.keys(providers)])].sort();
}

function requireProvider(config: Config, provider: string): void {
  if (isProvider(config, provider) && provider !== "demo") return;
  const known = providersOf(config);
  const meant = suggest(provider, known);
  const guess = meant === undefined ? `known are ${known.join(", ")}` : `did you mean "${meant}"?`;
  throw usageError(`no provider "${provider}"; ${guess}`);
}
