import { DragomanError } from "../core/error.js";
import { loadApis } from "../dialects/registry.js";
import { TokenStore } from "../gateway/auth/token-store.js";
import { requireWritable } from "../gateway/health.js";
import { makeLogger } from "../gateway/logger.js";
import { loadProtocols } from "../gateway/protocols.js";
import { startGateway } from "../gateway/server.js";
import { isLoopback, settingsOf } from "../gateway/settings.js";
import { MAIN } from "../runtime/agents.js";
import { homeFolder, readConfig } from "../runtime/config.js";
import { checkAccess, modelsOf } from "../runtime/model-access.js";
import { Runtime } from "../runtime/runtime.js";
import { usageError } from "./arguments.js";
import type { serveCommand } from "./commands.js";
import type { Arguments } from "./declaration.js";
import { tell } from "./terminal/tell.js";

/** Signals that end it, and what a shell reports for a program that died of them. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export async function run({ values }: Arguments<typeof serveCommand>): Promise<number> {
  const json = values.json === true;

  // Everything that can be wrong is found before anything is started.
  const home = homeFolder(process.env, values.home);
  const config = await readConfig(home, environment(values.model));
  const settings = settingsOf(config, process.env, values);
  await requireWritable(home);
  const tokens = new TokenStore(home);
  const isFirstStart = !(await tokens.exists());
  const notes = makeLogger(process.stderr.isTTY === true && !json ? "warn" : "info");
  const runtime = new Runtime({ home, config, onNote: (text) => notes.warn({}, text) });
  for (const model of modelsOf(runtime)) warnWithoutKey(model, runtime);

  const gateway = await startGateway({
    runtime,
    tokens,
    settings,
    protocols: await loadProtocols(),
    logger: notes,
  });
  const stopped = untilStopped();
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
      banner(gateway.url, token, { home, model: runtime.agents.modelOf(MAIN), first: first?.secret }),
    );
  }
  if (!isLoopback(settings.host)) {
    tell(
      `warning: others can reach ${settings.host}. What they send is not encrypted; put a proxy with TLS in front of it.`,
    );
  }

  const stopResuming = runtime.keepResuming(
    (resumed) =>
      notes.info(
        { sessions: resumed.map(({ session }) => session.id) },
        "answering what was left unanswered",
      ),
    (error) => notes.error({ err: error }, "what was left unanswered cannot be answered"),
  );
  // Node remembers an import that failed: what is missing stays missing until the next start.
  preload().catch((error) =>
    notes.error(
      { err: error },
      "a part of the program could not be loaded; allow more open files, and restart",
    ),
  );
  const { channels } = config;
  if (channels !== undefined) {
    const { startDesk } = await import("../gateway/channels/desk.js");
    gateway.attach((metrics) => startDesk({ runtime, config: channels, home, notes, metrics }));
  }
  await stopped;
  notes.info({}, "asked to stop");
  stopResuming();
  const left = await gateway.close();
  if (left.length > 0) {
    notes.warn(
      { sessions: left.map(({ session }) => session.id) },
      "runs are left for another gateway on this home, or the next start",
    );
    // To stop them would be to give up on them. What they have done so far is on disk, and marked.
    process.exit(0);
  }
  await runtime.close();
  return 0;
}

function environment(model: string | undefined): Readonly<Record<string, string | undefined>> {
  if (model === undefined) return process.env;
  if (!/^[a-z0-9][a-z0-9-]*\/./.test(model)) {
    throw usageError(`--model must be provider/model, such as demo/echo, not "${model}"`);
  }
  return { ...process.env, DRAGOMAN_MODEL: model };
}

/** A key can be missing as long as nobody talks to that model. */
function warnWithoutKey(model: string, runtime: Runtime): void {
  try {
    checkAccess(model, runtime, process.env);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== "provider/no-key") throw error;
    tell(`warning: ${model} will not answer: ${error.message}; ${error.hint}`);
  }
}

/** Fulfilled by the first signal to end. The second one ends the program at once. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const [signal, code] of Object.entries(signals)) {
      process.on(signal, () => {
        if (asked) process.exit(code);
        asked = true;
        resolve();
      });
    }
  });
}

/** What is loaded when it is first needed: whoever needs it first should not have to wait. */
async function preload(): Promise<void> {
  await import("../tools/builtin.js");
  await import("../agent/check-arguments.js");
  await loadApis();
}

function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

interface Told {
  home: string;
  model: string;
  first: string | undefined;
}

function banner(url: string, token: string, { home, model, first }: Told): string {
  const demo = model.startsWith("demo/") ? " (needs no key; --model chooses another)" : "";
  return [
    `Dragoman listens on ${url}`,
    "",
    `  open   ${url}/#token=${token}`,
    "         (this link is good until the gateway stops; keep it to yourself)",
    `  model  ${model}${demo}`,
    `  home   ${home}`,
    ...(first === undefined
      ? []
      : ["", "  A token for your programs. It is shown only this once:", `  ${first}`]),
    "",
    "Ctrl-C stops it; a second one does so at once.",
    "",
  ].join("\n");
}
