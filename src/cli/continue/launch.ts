import { spawn } from "node:child_process";
import { DragomanError } from "../../core/error.js";
import { systemCode } from "../../log/files/disk-error.js";

/** Runs commands one after the other, with this terminal, until one fails. Returns the exit code of the last one. */
export async function launch(commands: readonly (readonly string[])[], folder: string): Promise<number> {
  for (const command of commands) {
    const code = await start(command, folder);
    if (code !== 0) return code;
  }
  return 0;
}

/** Without a shell, so that no text is read as a command. */
function start([program = "", ...args]: readonly string[], folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: "inherit" });
    // A terminal sends Ctrl-C to the program too, which decides what it means.
    const handlers = {
      SIGINT: () => undefined,
      SIGTERM: () => child.kill("SIGTERM"),
      SIGHUP: () => child.kill("SIGHUP"),
    };
    for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
    const release = () => {
      for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
    };
    child.on("error", (error) => {
      release();
      reject(notStarted(program, error));
    });
    child.on("exit", (code) => {
      release();
      resolve(code ?? 1);
    });
  });
}

function notStarted(program: string, cause: Error): DragomanError {
  const why = systemCode(cause) === "ENOENT" ? "there is no such program" : cause.message;
  return new DragomanError("continue/not-started", `cannot start \`${program}\`: ${why}`, {
    hint: "the session is stored: install the program, then run the command above",
    cause,
  });
}
