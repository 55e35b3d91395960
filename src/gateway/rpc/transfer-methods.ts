import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { convertStream } from "../../convert/convert.js";
import { load } from "../../convert/detect.js";
import { LossSummary } from "../../convert/loss-summary.js";
import { defined } from "../../core/json/defined.js";
import type { Loss } from "../../core/types.js";
import { MAIN } from "../../runtime/agents.js";
import { type ProgramName, programNames, type Stored } from "../../runtime/continue/destination.js";
import { destinations } from "../../runtime/continue/destinations.js";
import { type ChosenFolder, existingFolder, folderFor } from "../../runtime/continue/folder.js";
import { shellLine } from "../../runtime/continue/shell-line.js";
import { importTranscript, readThrough, type TranscriptSource } from "../../runtime/import-transcript.js";
import { ownsComputer } from "../readable-sessions.js";
import { badRequest, refuse } from "../refusals.js";
import type { Context, Methods } from "./context.js";
import { type StoredTranscript, storedTranscript, transcriptIn } from "./stored-transcript.js";

/** The kinds of losses that are reported. */
const MAX_KINDS = 50;

export const transferMethods: Pick<Methods<"sessions">, "sessions.export" | "sessions.continue"> = {
  async "sessions.export"({ sessionKey: name, source, dialect }, context) {
    const { gateway, permit } = context;
    const {
      dialect: from,
      bytes: stored,
      readable,
    } = source === undefined
      ? await storedTranscript(gateway.runtime, name, permit)
      : await transcriptIn(source, name, context);
    const losses: Loss[] = [];
    const summary = new LossSummary();
    const onLoss = (loss: Loss) => {
      losses.push(loss);
      summary.add(loss);
    };
    const written =
      dialect === undefined ? stored() : convertStream(readable, { from, to: await load(dialect), onLoss });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of written) {
      bytes += chunk.length;
      if (bytes > gateway.limits.unreadBytes / 2) {
        throw refuse(
          "too_large",
          "the session is too large for one answer; read it with chat.history, or use `dragoman sessions export`",
        );
      }
      chunks.push(chunk);
    }
    return {
      dialect: dialect ?? from.name,
      text: Buffer.concat(chunks).toString("utf8"),
      losses,
      kinds: summary.kinds(MAX_KINDS),
    };
  },

  async "sessions.continue"({ sessionKey: name, source, program, folder, dryRun = false }, context) {
    // It writes into the folders of other programs.
    if (!ownsComputer(context.permit)) {
      throw refuse("forbidden", "this needs a token with scope admin and without a limit on agents");
    }
    const target = programNames.find((known) => known === program);
    if (target === undefined)
      throw badRequest(`there is no program ${JSON.stringify(program)} to continue in`);
    const { dialect, readable } = await transcriptOf(name, source, context);
    const transcript: TranscriptSource = { open: readable, dialect };
    const chosen = await chooseFolder(transcript, target, folder);
    const summary = new LossSummary();
    const onLoss = (loss: Loss) => summary.add(loss);
    const stored =
      target === "dragoman"
        ? await importHere(transcript, dryRun, onLoss, context)
        : await destinations[target].store(transcript, {
            folder: chosen?.path ?? homedir(),
            userHome: homedir(),
            home: context.gateway.config.home,
            env: process.env,
            now: new Date(context.gateway.now()),
            uuid: randomUUID(),
            dryRun,
            onLoss,
          });
    const { session, path, messages, commands } = stored;
    return {
      session,
      messages,
      command: shellLine(chosen?.path, commands),
      losses: summary.kinds(MAX_KINDS),
      ...defined({ path, folder: chosen?.path, missing: chosen?.missing }),
    };
  },
};

function transcriptOf(name: string, source: string | undefined, context: Context): Promise<StoredTranscript> {
  return source === undefined
    ? storedTranscript(context.gateway.runtime, name, context.permit)
    : transcriptIn(source, name, context);
}

/** The requested folder, or the one that the session records, or the user's home; undefined for programs without folders. */
async function chooseFolder(
  transcript: TranscriptSource,
  program: ProgramName,
  requested: string | undefined,
): Promise<ChosenFolder | undefined> {
  if (destinations[program].inAnyFolder === true) return undefined;
  if (requested === undefined) return folderFor(transcript, homedir());
  const path = isAbsolute(requested) ? await existingFolder(requested) : undefined;
  if (path === undefined) {
    throw badRequest(`${JSON.stringify(requested)} is not an existing folder on the gateway's computer`);
  }
  return { path, from: "option" };
}

/** Continues a session in this gateway's own log, where the page can open it. */
async function importHere(
  transcript: TranscriptSource,
  dryRun: boolean,
  onLoss: (loss: Loss) => void,
  { gateway: { runtime }, sessionFeed }: Context,
): Promise<Stored> {
  const readThere = await readThrough(transcript, { onLoss });
  const { messages } = readThere;
  if (dryRun) return { session: "", messages, commands: [] };
  const session = await importTranscript(runtime.log, transcript, { agent: MAIN }, readThere);
  await session.close();
  sessionFeed.reportChange(session.id);
  return { session: session.id, messages, commands: [["dragoman", "chat", "--session", session.id]] };
}
