import { basename } from "node:path";
import { holdsConversations } from "../../convert/convert.js";
import { detect, knownName, load } from "../../convert/detect.js";
import type { Dialect } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { usageError } from "../arguments.js";
import type { viewCommand } from "../commands.js";
import type { Arguments } from "../declaration.js";
import { type Input, openInput, rereadable } from "../files/input.js";
import { refuseSameFile } from "../files/output.js";
import { sessionInstead } from "../sessions/open-session.js";
import { reportLine } from "../terminal/report-line.js";
import { exitCodes } from "../terminal/signals.js";
import { joinTranscript, openFile, sampleInput } from "../transcript.js";
import { envelope } from "./envelope.js";
import { openBrowser } from "./open-browser.js";
import { startViewServer } from "./server.js";
import { writePage } from "./write-page.js";

type ViewValues = Arguments<typeof viewCommand>["values"];

export async function run({ values, words: [file] }: Arguments<typeof viewCommand>): Promise<number> {
  const from = values.from === undefined ? undefined : knownName(values.from);
  if (values.follow === true) return follow(values, file);
  const port = portOf(values.port);
  // Exits at once: there is nothing to finish.
  const signals = values.html === undefined ? Object.keys(exitCodes) : [];
  for (const signal of signals) process.once(signal, () => process.exit(0));
  const opened = await open(file, values);
  const { input, dialect } = await conversationIn(opened, values.from, values.conversation);
  const about = {
    name: input.path === undefined ? input.name : basename(input.path),
    dialect: from ?? dialect,
  };
  if (values.html !== undefined) {
    await refuseSameFile(values.html, input.path, "input");
    await writePage(values.html, envelope(about, input.open()));
    if (values.html !== "-") reportLine(`wrote ${values.html} (self-contained, no server needed)`);
    return 0;
  }
  const source = await rereadable(input);
  const { url, key } = await startViewServer(port, () => envelope(about, source.open()));
  const link = `${url}/#key=${key}`;
  process.stdout.write(`${link}\n`);
  reportLine(`${input.name} can be viewed at this link on this computer until you press Ctrl-C`);
  if (process.stdout.isTTY && values["no-open"] !== true) openBrowser(link);
  return new Promise<number>(() => undefined);
}

async function follow(values: ViewValues, file: string): Promise<number> {
  if (values.html !== undefined || values.port !== undefined) {
    throw usageError("--follow prints in the terminal: it cannot be combined with --html or --port");
  }
  const { followSession } = await import("./follow.js");
  return followSession(file, values);
}

/** A file, or a session if there is no file of that name. */
async function open(name: string, { from, home, source }: ViewValues): Promise<Input> {
  try {
    return await openJoined(name, from);
  } catch (error) {
    const { input } = await sessionInstead(error, name, { home, source });
    return input;
  }
}

/** With the other files of its session. A file whose dialect is not detected is opened too: the viewer explains why. */
async function openJoined(name: string, from: string | undefined): Promise<Input> {
  const input = await openInput(name);
  if (!input.rereadable) return input;
  try {
    return (await joinTranscript(await openFile(name, from))).input;
  } catch (error) {
    if (error instanceof DragomanError && error.code === "convert/undetected") return input;
    throw error;
  }
}

/** One conversation of a file that can hold several. Other files are detected by the viewer, which shows what is wrong. */
async function conversationIn(
  input: Input,
  from: string | undefined,
  wanted: string | undefined,
): Promise<{ input: Input; dialect?: string }> {
  const { input: source, dialect } =
    from === undefined ? await detected(input) : { input, dialect: await load(from) };
  const isOne = dialect === undefined || !holdsConversations(dialect);
  if (isOne && wanted === undefined) return { input: source };
  if (dialect === undefined)
    throw usageError("--conversation needs a file whose dialect is known: pass --from");
  const { pickConversation } = await import("../conversations.js");
  const picked = await pickConversation({ input: source, dialect }, wanted);
  return { input: picked.input, dialect: dialect.name };
}

async function detected(input: Input): Promise<{ input: Input; dialect: Dialect | undefined }> {
  const { sample, input: untouched } = await sampleInput(input);
  const [found] = await detect(sample);
  return { input: untouched, dialect: found && (await load(found.dialect)) };
}

function portOf(text = "0"): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw usageError(`--port must be a number from 0 to 65535, not "${text}"`);
}
