import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Installs what the tests check us against (official clients, a browser driver, analysers) into `test/node_modules`. It is as
 * large as everything else together, and only the tests need it, so a plain `npm ci` does not install it.
 */
const folder = fileURLToPath(new URL("../test/", import.meta.url));

interface Lock {
  packages: Record<string, { version?: string; optional?: boolean }>;
}

function packagesIn(path: string): Lock["packages"] {
  try {
    const { packages }: Lock = JSON.parse(readFileSync(`${folder}${path}`, "utf8"));
    return packages;
  } catch {
    // Nothing is installed yet.
    return {};
  }
}

const installed = packagesIn("node_modules/.package-lock.json");
const isComplete = Object.entries(packagesIn("package-lock.json")).every(
  ([name, { version, optional }]) => name === "" || optional === true || installed[name]?.version === version,
);
if (!isComplete) {
  process.stderr.write("installing the clients and analysers that the tests need, in test/node_modules\n");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", 2, 2] });
}
