import { accountsOf } from "../../channels/accounts.js";
import { loadChannel } from "../../channels/registry.js";
import { settingsOf } from "../../gateway/settings.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import { checkCredentials, modelsOf } from "../../runtime/model-access.js";
import { AGENT_PREFIX, modelsNamed, resolveName } from "../../runtime/model-names.js";
import { Runtime } from "../../runtime/runtime.js";
import type { doctorCommand } from "../commands.js";
import type { Arguments } from "../declaration.js";
import { configuredServers } from "../mcp/configured-servers.js";
import { writeResult } from "../sessions/result.js";
import { painter, wantsColour } from "../terminal/colour.js";
import { shownText } from "../terminal/shown-text.js";
import { wrappedTable } from "../terminal/table.js";
import { checkChannel } from "./check-channels.js";
import { checkGateway } from "./check-gateway.js";
import { checkGateways, checkWorkspaces } from "./check-gateways.js";
import { checkConfigMode, checkHome, checkNode, checkStore, checkTokens } from "./check-home.js";
import { checkServers } from "./check-mcp.js";
import { checkPrograms } from "./check-programs.js";
import { checkSandboxes } from "./check-sandbox.js";
import { checkClock, checkIndex, checkLeftovers, checkLocks, checkMarks } from "./check-sessions.js";
import { type Finding, failed, ok } from "./finding.js";

const signs = { ok: "✓", warning: "!", problem: "✗" } as const;
const colours = { ok: "green", warning: "yellow", problem: "red" } as const;

export async function run({ values }: Arguments<typeof doctorCommand>): Promise<number> {
  const findings = await examine(homeFolder(process.env, values.home));
  const coloured = wantsColour(process.stdout, process.env, values["no-color"]);
  await writeResult(values.json, shownText(report(findings, coloured)), { findings });
  return findings.some(({ level }) => level === "problem") ? 1 : 0;
}

async function examine(home: string): Promise<Finding[]> {
  const { usable, finding } = await checkHome(home);
  const findings = [checkNode(process.versions.node), finding];
  if (!usable) return findings;
  // Opening the sessions removes leftovers, so this comes first.
  findings.push(await checkTokens(home), await checkLeftovers(home));
  try {
    const config = await readConfig(home, process.env);
    const settings = settingsOf(config, process.env);
    const accounts = accountsOf(config.channels);
    const secrets = await Promise.all(
      accounts.map(async ({ channel, settings }) => ((await loadChannel(channel)).secret ?? "") in settings),
    );
    const keys =
      Object.values(config.providers ?? {}).some(({ apiKey }) => apiKey !== undefined) ||
      config.store !== undefined ||
      secrets.includes(true) ||
      configuredServers(config).some(({ settings }) => (settings.headers ?? settings.env) !== undefined);
    findings.push(ok("configuration", "valid"), ...(await checkConfigMode(home, keys)));
    findings.push(...(await checkGateway(home, settings)));
    const notes: string[] = [];
    const onNote = (text: string) => notes.push(text);
    const { store, finding } = await checkStore(home, onNote);
    findings.push(finding);
    if (store === undefined) return findings;
    const runtime = new Runtime({ home, config, store, onNote });
    try {
      findings.push(...(await checkGateways(store, runtime.agents)));
      if (store.where !== home) findings.push(...(await checkWorkspaces(runtime)));
      for (const model of modelsOf(runtime)) findings.push(await checkModel("model", model, runtime));
      const aliases = Object.keys(config.aliases ?? {}).filter(
        (alias) => !resolveName(config, alias).startsWith(AGENT_PREFIX),
      );
      for (const alias of aliases) findings.push(await checkModel("alias", alias, runtime));
      findings.push(...(await checkSandboxes(runtime)));
      findings.push(await checkIndex(runtime, notes), await checkMarks(runtime));
      if (store.where === home) findings.push(await checkLocks(home));
      findings.push(await checkClock(runtime, Date.now()));
      for (const account of accounts) findings.push(...(await checkChannel(account, runtime)));
      findings.push(...(await checkServers(runtime)), ...(await checkPrograms(runtime)));
    } finally {
      await runtime.close();
    }
  } catch (error) {
    findings.push(failed("configuration", error, "see schemas/Config.json for the available settings"));
  }
  return findings;
}

async function checkModel(subject: "model" | "alias", model: string, runtime: Runtime): Promise<Finding> {
  try {
    await checkCredentials(model, runtime, runtime.world);
    const members = modelsNamed(runtime.config, model).map(({ name }) => name);
    if (members.length > 1) return ok(subject, `${model}: ready (${members.join(", ")})`);
    return ok(subject, `${model}: ready; \`dragoman models test ${model}\` calls it`);
  } catch (error) {
    return failed(subject, error, "choose another model");
  }
}

function report(findings: readonly Finding[], coloured: boolean): string {
  const paint = painter(coloured);
  const rows = findings.flatMap(({ subject, level, message, fix }) => [
    [paint(colours[level], signs[level]), subject, message],
    ...(fix === undefined ? [] : [["", "", `→ ${fix}`]]),
  ]);
  return wrappedTable(rows).join("\n");
}
