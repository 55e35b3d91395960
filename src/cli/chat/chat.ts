import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { DragomanError } from "../../core/error.js";
import { decodeUtf8 } from "../../framing/utf8.js";
import { homeFolder, readConfig } from "../../runtime/config.js";
import { shellWord } from "../../runtime/continue/shell-line.js";
import { DEFAULT_MODEL, defaultModel } from "../../runtime/models.js";
import { openTelemetry } from "../../runtime/open-telemetry.js";
import { Runtime } from "../../runtime/runtime.js";
import { openStore } from "../../runtime/sessions.js";
import { usageError } from "../arguments.js";
import type { chatCommand } from "../commands.js";
import type { Arguments } from "../declaration.js";
import { reportLine } from "../terminal/report-line.js";
import { findConversation, Talk } from "./talk.js";

const DEMO =
  "No model is configured, so demo/echo repeats your messages. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or choose one with --model.";

export async function run({ values, words }: Arguments<typeof chatCommand>): Promise<number> {
  const { session, agent, partial = false, thinking = false, continue: latest = false } = values;
  const json = values.json === true || partial;
  if (session !== undefined && latest) throw usageError("--session and --continue cannot be combined");
  if (session !== undefined && agent !== undefined) {
    throw usageError("--agent cannot be used with --session: that session already has an agent");
  }
  const printing = values.print === true || json || !isConsole();
  const prompt = await promptOf(words, printing);

  const home = homeFolder(process.env, values.home);
  const config = await readConfig(home, process.env);
  const model = config.model ?? defaultModel(config, process.env);
  let onNote = reportLine;
  const store = await openStore(home, process.env, (text) => onNote(text));
  const telemetry = await openTelemetry((text) => onNote(text));
  const runtime = new Runtime({
    ...{ home, store, telemetry },
    config: { ...config, model },
    onNote: (text) => onNote(text),
  });
  try {
    const talk = new Talk(runtime, { agent, cwd: resolve(values.workspace ?? ".") });
    // Without a choice, as in a pipe, the latest chat is continued.
    const picks =
      latest && !printing && prompt === "" && values.model === undefined && values.workspace === undefined;
    talk.current = await findConversation(runtime, { session, latest, agent: talk.agent });
    if (values.model !== undefined) await talk.setModel(values.model);
    if (values.workspace !== undefined) await talk.setWorkspace(resolve(values.workspace));
    const isDemo = config.model === undefined && (await talk.modelName()) === DEFAULT_MODEL;
    const options = {
      thinking,
      noColour: values["no-color"],
      ...(isDemo && values.model === undefined ? { greeting: DEMO } : {}),
    };
    const resume = (id: string) =>
      `dragoman chat --session ${id}${values.home === undefined ? "" : ` --home ${shellWord(values.home)}`}`;
    if (printing) {
      const { print } = await import("./print.js");
      return await print(talk, prompt, { ...options, json, partial, resume });
    }
    const { converse } = await import("./interactive.js");
    const redirectNotes = (listener: typeof reportLine) => {
      onNote = listener;
    };
    return await converse(talk, prompt, { ...options, picks, resume, redirectNotes });
  } finally {
    await runtime.close();
  }
}

/** Whether this is a terminal with cursor movement. */
function isConsole(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && process.env["TERM"] !== "dumb";
}

/** The words of the command line, followed by piped input. */
async function promptOf(words: readonly string[], printing: boolean): Promise<string> {
  const piped = printing && !process.stdin.isTTY ? await standardInput() : "";
  return [words.join(" "), piped.trimEnd()].filter((part) => part.trim() !== "").join("\n\n");
}

async function standardInput(): Promise<string> {
  const text = decodeUtf8(await buffer(process.stdin));
  if (text !== undefined) return text;
  throw new DragomanError("framing/invalid-utf8", "standard input is not valid UTF-8");
}
