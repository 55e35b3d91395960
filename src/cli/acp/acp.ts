import { once } from "node:events";
import { AcpAgent } from "../../acp/agent/agent.js";
import { wordsOf } from "../../core/error.js";
import { readLines } from "../../framing/lines.js";
import { decodeUtf8 } from "../../framing/utf8.js";
import { makeLogger } from "../../gateway/logger.js";
import { MAIN } from "../../runtime/agents.js";
import { homeFolder } from "../../runtime/config.js";
import { requireFolder } from "../../runtime/session-folder.js";
import type { acpCommand } from "../commands.js";
import type { Arguments } from "../declaration.js";
import { onFirstSignal } from "../terminal/signals.js";
import { version } from "../version.js";
import { HomeConnection } from "./home-connection.js";

/** Serves one client until it closes our standard input. Standard output has frames only. */
export async function run({ values }: Arguments<typeof acpCommand>): Promise<number> {
  const logger = makeLogger("warn");
  const onProblem = (text: string, error?: unknown) => {
    logger.warn(error === undefined ? {} : { err: error }, text);
  };
  // Editors use a dead connection again, so no failure may end this process.
  process.on("unhandledRejection", (error) => onProblem("unexpected failure", error));
  process.on("uncaughtException", (error) => onProblem("unexpected failure", error));

  const { stdin, stdout } = process;
  const connection = new HomeConnection(homeFolder(process.env, values.home), logger);
  const agent = new AcpAgent({
    agent: values.agent ?? MAIN,
    version: version(),
    connect: () => connection.connect(),
    write: (text) => stdout.write(`${text}\n`),
    drained: async () => {
      if (stdout.writableNeedDrain) await once(stdout, "drain");
    },
    requireFolder,
    onProblem,
  });
  onFirstSignal(() => stdin.destroy());
  try {
    for await (const { bytes } of readLines(stdin)) {
      // Text that is not UTF-8 is answered like any other text that is not JSON.
      if (bytes.length > 0) agent.receive(decodeUtf8(bytes) ?? "�");
    }
  } catch (error) {
    // A signal closes the input; a line that is too long leaves nothing to continue with.
    if (!stdin.destroyed) onProblem(`standard input cannot be read: ${wordsOf(error)}`);
  }
  await agent.close();
  await connection.close();
  return 0;
}
