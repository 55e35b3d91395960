import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildWeb } from "../web/build.js";
import { generate } from "./generate.js";

const root = fileURLToPath(new URL("../", import.meta.url));

const generated = await generate(root);
rmSync(`${root}dist`, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
// tsc does not emit JavaScript files.
for (const folder of generated) {
  cpSync(`${root}${folder}`, `${root}${folder.replace(/^src/, "dist")}`, { recursive: true });
}
await buildWeb(`${root}dist/web`);
chmodSync(`${root}dist/cli/main.js`, 0o755);
