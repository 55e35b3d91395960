import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { removeOnExit } from "../files/temporary.js";
import { reportLine } from "../terminal/report-line.js";

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens a link that contains a secret. Every user of a computer can see the arguments of programs, so the browser gets a
 * private file that redirects to the link.
 */
export function openBrowser(link: string): void {
  const path = join(tmpdir(), `dragoman-${randomBytes(12).toString("hex")}.html`);
  removeOnExit(path);
  writeFileSync(path, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">\n`, {
    mode: 0o600,
    flag: "wx",
  });
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, pathToFileURL(path).href], { stdio: "ignore", detached: true });
  child.on("error", () => reportLine("could not open a browser; open the link yourself"));
  child.unref();
}
