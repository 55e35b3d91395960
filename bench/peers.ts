import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const peers = fileURLToPath(new URL("peers/", import.meta.url));
const compiled = fileURLToPath(new URL("../.bench/", import.meta.url));

/** Installs the libraries that some cases compare with. They are large and used nowhere else, so `npm ci` leaves them out. */
export function installPeers(): void {
  install(peers);
  // The children run compiled code, which finds packages beside itself first.
  if (!existsSync(`${compiled}node_modules`)) symlinkSync(`${peers}node_modules`, `${compiled}node_modules`);
}

/** Installs OpenClaw and a Node.js for it, 800 MB, and returns their folder. */
export function installOpenClaw(): string {
  const folder = `${peers}openclaw/`;
  install(folder);
  return `${folder}node_modules/`;
}

function install(folder: string): void {
  if (!existsSync(`${folder}node_modules`)) {
    process.stderr.write(`installing what this is compared with, in ${folder}\n`);
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: folder,
      stdio: ["ignore", 2, 2],
    });
  }
}
