import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("peers/", import.meta.url));
const compiled = fileURLToPath(new URL("../.bench/", import.meta.url));

/** Installs the libraries that some cases compare with. They are large and used nowhere else, so `npm ci` leaves them out. */
export function installPeers(): void {
  if (!existsSync(`${folder}node_modules`)) {
    process.stderr.write("installing the packages that this is compared with, in bench/peers\n");
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", 2, 2] });
  }
  // The children run compiled code, which finds packages beside itself first.
  if (!existsSync(`${compiled}node_modules`)) symlinkSync(`${folder}node_modules`, `${compiled}node_modules`);
}
