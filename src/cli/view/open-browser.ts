import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { removeAtEnd } from "../files/temporary.js";
import { tell } from "../terminal/tell.js";

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens a link that has a secret in it. Everybody on a computer can see what programs are started with, so that the browser
 * is given a private file that leads there.
 */
export function openBrowser(link: string): void {
  const path = join(tmpdir(), `dragoman-${randomBytes(12).toString("hex")}.html`);
  removeAtEnd(path);
  writeFileSync(path, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">\n`, {
    mode: 0o600,
    flag: "wx",
  });
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, pathToFileURL(path).href], { stdio: "ignore", detached: true });
  child.on("error", () => tell("no browser could be opened; open the link yourself"));
  child.unref();
}
