import { basename } from "node:path";
import { holdsConversations } from "../../convert/convert.js";
import { detect, knownName, load } from "../../convert/detect.js";
import { readableHtml } from "../../convert/readable-html.js";
import type { Dialect } from "../../core/dialect.js";
import { usageError } from "../arguments.js";
import type { viewCommand } from "../commands.js";
import type { Arguments } from "../declaration.js";
import { type Input, openInput, rereadable } from "../files/input.js";
import { refuseSameFile } from "../files/output.js";
import { sessionInstead } from "../sessions/open-session.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { exitCodes } from "../terminal/signals.js";
import { joinTranscript, sampleInput } from "../transcript.js";
import { type About, envelope } from "./envelope.js";
import { openBrowser } from "./open-browser.js";
import { startViewServer } from "./server.js";
import { type PageContent, writePage } from "./write-page.js";

type ViewValues = Arguments<typeof viewCommand>["values"];

/** The dialect is only named if it is certain. */
interface Opened {
  input: Input;
  dialect?: string;
}

export async function run({ values, words: [file] }: Arguments<typeof viewCommand>): Promise<number> {
  const from = values.from === undefined ? undefined : knownName(values.from);
  if (file === undefined) return writeViewer(values);
  if (values.follow === true) return follow(values, file);
  if (values.json === true && values.html === "-") {
    throw usageError("--json and the page cannot both be written to standard output");
  }
  const port = portOf(values.port);
  // Exits at once: there is nothing to finish.
  const signals = values.html === undefined ? Object.keys(exitCodes) : [];
  for (const signal of signals) process.once(signal, () => process.exit(0));
  const { input, dialect } = await open(file, values);
  const about = {
    name: input.path === undefined ? input.name : basename(input.path),
    dialect: from ?? dialect,
  };
  if (values.html !== undefined) {
    await refuseSameFile(values.html, input.path, "input");
    await writePage(values.html, await pageContent(input, about));
    return reportPage(values, values.html, "self-contained, no server needed");
  }
  const source = await rereadable(input);
  const { url, key } = await startViewServer(port, () => envelope(about, source.open()));
  const link = `${url}/#key=${key}`;
  await writeResult(values.json, link, { url: link });
  if (values.json !== true) {
    reportLine(`${input.name} can be viewed at this link on this computer until you press Ctrl-C`);
    if (process.stdout.isTTY && values["no-open"] !== true) openBrowser(link);
  }
  return new Promise<number>(() => undefined);
}

/** A transcript, and its text for readers without scripts. The viewer explains why a file is not detected. */
async function pageContent(input: Input, about: About): Promise<PageContent> {
  const source = await rereadable(input);
  const transcript = envelope(about, source.open());
  const name = about.dialect ?? (await detect((await sampleInput(source)).sample))[0]?.dialect;
  if (name === undefined) return { transcript };
  return { transcript, text: readableHtml(() => source.open(), { from: await load(name) }) };
}

/** Writes the viewer without a transcript: a page that anyone can host, and that opens files in the browser. */
async function writeViewer(values: ViewValues): Promise<number> {
  const { html, from, conversation, source, follow: follows, port } = values;
  if (html === undefined) throw usageError("missing argument FILE|SESSION");
  const about = { from, conversation, source, follow: follows, port };
  const [unused] = Object.entries(about).find(([, value]) => value !== undefined) ?? [];
  if (unused !== undefined) throw usageError(`--${unused} needs FILE or SESSION`);
  if (values.json === true && html === "-") {
    throw usageError("--json and the page cannot both be written to standard output");
  }
  await writePage(html);
  return reportPage(values, html, "the viewer without a transcript, no server needed");
}

async function reportPage({ json }: ViewValues, file: string, what: string): Promise<number> {
  if (json === true) await writeResult(true, "", { file });
  else if (file !== "-") reportLine(`wrote ${file} (${what})`);
  return 0;
}

async function follow(values: ViewValues, file: string): Promise<number> {
  if (values.html !== undefined || values.port !== undefined) {
    throw usageError("--follow prints in the terminal: it cannot be combined with --html or --port");
  }
  if (values.json === true) throw usageError("--follow prints for people: it cannot be combined with --json");
  const { followSession } = await import("./follow.js");
  return followSession(file, values);
}

/** A file, or a session if there is no file of that name. */
async function open(name: string, values: ViewValues): Promise<Opened> {
  const { home, source } = values;
  try {
    return await openFile(name, values);
  } catch (error) {
    return { input: (await sessionInstead(error, name, { home, source })).input };
  }
}

/**
 * A file with the other files of its session, or one conversation of a file that can hold several. The viewer explains why
 * a file is not detected.
 */
async function openFile(name: string, { from, conversation: wanted }: ViewValues): Promise<Opened> {
  const file = await openInput(name);
  const { input, dialect } =
    from === undefined ? await detected(file) : { input: file, dialect: await load(from) };
  if (dialect === undefined) {
    if (wanted === undefined) return { input };
    throw usageError("--conversation needs a file whose dialect is known: pass --from");
  }
  if (!holdsConversations(dialect) && wanted === undefined) {
    return { input: (await joinTranscript({ input, dialect })).input };
  }
  const { pickConversation } = await import("../conversations.js");
  const picked = await pickConversation({ input, dialect }, wanted);
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
