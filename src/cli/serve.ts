import { DragomanError, wordsOf } from "../core/error.js";
import { loadApis } from "../dialects/registry.js";
import { TokenStore } from "../gateway/auth/token-store.js";
import type { LinkSettings } from "../gateway/links/open-links.js";
import { makeLogger } from "../gateway/logger.js";
import { protocols } from "../gateway/protocols.js";
import { startGateway } from "../gateway/server.js";
import { isLoopback, settingsOf } from "../gateway/settings.js";
import { MAIN } from "../runtime/agents.js";
import { homeFolder, isModelName, readConfig } from "../runtime/config.js";
import { LiveConfig } from "../runtime/live-config.js";
import { checkCredentials, modelsOf } from "../runtime/model-access.js";
import { openTelemetry } from "../runtime/open-telemetry.js";
import { Runtime } from "../runtime/runtime.js";
import type { Config } from "../runtime/schema.js";
import { openStore } from "../runtime/sessions.js";
import { usageError } from "./arguments.js";
import type { serveCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { announceGateway } from "./running-gateway.js";
import { type LinesOptions, printRuns, readableLine } from "./serve-lines.js";
import { painter, wantsColour } from "./terminal/colour.js";
import { columnsOf } from "./terminal/columns.js";
import { reportLine } from "./terminal/report-line.js";
import { onFirstSignal } from "./terminal/signals.js";
import { version } from "./version.js";

export async function run({ values }: Arguments<typeof serveCommand>): Promise<number> {
  const json = values.json === true;

  // Check everything before starting anything.
  const home = homeFolder(process.env, values.home);
  const config = await configFor(home, values.model);
  const settings = settingsOf(config, process.env, values);
  // Lines of JSON for programs, and for people only what they want to know.
  const forPeople = process.stderr.isTTY === true && !json;
  const lines: LinesOptions = {
    paint: painter(wantsColour(process.stderr, process.env, values["no-color"])),
    write: reportLine,
    columns: () => columnsOf(process.stderr) ?? 80,
    now: Date.now,
  };
  const notes = forPeople
    ? makeLogger("warn", { write: (line) => reportLine(readableLine(line, lines)) })
    : makeLogger("info");
  const onNote = (text: string) => notes.warn({}, text);
  const store = await openStore(home, process.env, onNote, values.store);
  await store.ready();
  const tokens = new TokenStore(store);
  const isFirstStart = !(await tokens.exists());
  const onServerLine = (server: string, line: string) => notes.info({ mcp: server }, line);
  const telemetry = await openTelemetry(onNote);
  const runtime = new Runtime({
    ...{ home, config, store, telemetry, onNote, onServerLine },
    waitsForAnswers: true,
  });
  for (const model of modelsOf(runtime)) await warnWithoutKey(model, runtime);

  const live = new LiveConfig({
    home,
    read: () => configFor(home, values.model),
    apply: async (next) => {
      const hasOtherChannels = JSON.stringify(next.channels) !== JSON.stringify(runtime.config.channels);
      await runtime.reconfigure(next);
      if (hasOtherChannels) await startChannels();
    },
  });
  const gateway = await startGateway({
    config: live,
    runtime,
    tokens,
    settings,
    protocols,
    logger: notes,
    links: linksOf(settings.advertise),
  });
  const startChannels = async () => {
    const { channels } = runtime.config;
    if (channels === undefined) return gateway.attach(undefined);
    const { startDesk } = await import("../gateway/channels/desk.js");
    await gateway.attach((metrics) => startDesk({ runtime, config: channels, home, logger: notes, metrics }));
  };
  const stopped = new Promise<void>((resolve) => onFirstSignal(resolve));
  const withdraw = await announceGateway(home, gateway.url);
  const token = tokens.issue("the link of this start", "admin");
  const first = isFirstStart ? await tokens.create("first start", "admin") : undefined;
  if (json) {
    printJson({ event: "listening", url: gateway.url, token });
    if (first !== undefined) {
      const { id, name, scope } = first.entry;
      printJson({ event: "token", id, name, scope, token: first.secret });
    }
  } else {
    process.stdout.write(
      banner(gateway.url, token, {
        home,
        store: store.where,
        model: runtime.agents.modelOf(MAIN),
        first: first?.secret,
      }),
    );
  }
  if (!isLoopback(settings.host)) {
    reportLine(
      `warning: other computers can reach ${settings.host}. Traffic is not encrypted; put a TLS proxy in front of it.`,
    );
  }

  if (forPeople) printRuns(runtime, lines);
  const stopResuming = runtime.keepResuming(
    ({ session }) => notes.info({ session: session.id }, "resuming unanswered messages"),
    (error) => notes.error({ err: error }, "could not resume unanswered messages"),
  );
  // Node caches failed imports: what fails to load now is missing until the next start.
  preload().catch((error) =>
    notes.error({ err: error }, "could not load part of the program; raise the open-file limit and restart"),
  );
  // Only now, so that clients can connect as early as without them.
  runtime.mcpServers().catch((error) => notes.error({ err: error }, "could not start the MCP servers"));
  await startChannels();
  const stopFollowing = live.watch((error) =>
    notes.error(
      { why: wordsOf(error) },
      "the configuration was changed and cannot be used; the last one stays",
    ),
  );
  await stopped;
  notes.info({}, "stopping");
  stopFollowing();
  stopResuming();
  const closing = gateway.close();
  await withdraw();
  const left = await closing;
  if (left.length > 0) {
    notes.warn(
      { sessions: left.map(({ session }) => session.id) },
      "unfinished runs are left for another gateway of this store, or the next start",
    );
    // Closing the runtime would abort these runs. Their progress is on disk, marked as unfinished.
    await telemetry?.close();
    process.exit(0);
  }
  await runtime.close();
  return 0;
}

/** Links to other gateways on the same store. The token is not kept in the environment of programs that agents start. */
function linksOf(advertise: string | undefined): LinkSettings | undefined {
  const { DRAGOMAN_CLUSTER_TOKEN: token = "" } = process.env;
  Reflect.deleteProperty(process.env, "DRAGOMAN_CLUSTER_TOKEN");
  if (advertise === undefined) return undefined;
  return { advertise, version: version(), ...(token === "" ? {} : { token }) };
}

async function configFor(home: string, model: string | undefined): Promise<Config> {
  if (model === undefined) return readConfig(home, process.env);
  const config = await readConfig(home, { ...process.env, DRAGOMAN_MODEL: "" });
  if (isModelName(model, config)) return { ...config, model };
  throw usageError(`--model must be provider/model, such as demo/echo, or an alias, not "${model}"`);
}

/** Missing credentials only matter once a message is sent to that model. */
async function warnWithoutKey(model: string, runtime: Runtime): Promise<void> {
  try {
    await checkCredentials(model, runtime, runtime.world);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== "provider/no-key") throw error;
    reportLine(`warning: ${model} will not answer: ${error.message}; ${error.hint}`);
  }
}

/** Loads lazy modules early, so that the first request does not wait for them. */
async function preload(): Promise<void> {
  await import("../tools/builtin.js");
  await import("../agent/check-arguments.js");
  await loadApis();
}

function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

function banner(
  url: string,
  token: string,
  { home, store, model, first }: { home: string; store: string; model: string; first: string | undefined },
): string {
  const demo = model.startsWith("demo/") ? " (needs no key; choose another with --model)" : "";
  return [
    `Dragoman is listening on ${url}`,
    "",
    `  open   ${url}/#token=${token}`,
    "         (valid until the gateway stops; keep this link to yourself)",
    `  model  ${model}${demo}`,
    `  home   ${home}`,
    ...(store === home ? [] : [`  store  ${store}`]),
    ...(first === undefined ? [] : ["", "  A token for your programs, shown only once:", `  ${first}`]),
    "",
    "Press Ctrl-C to stop; press it again to stop immediately.",
    "",
  ].join("\n");
}
