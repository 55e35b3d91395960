import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.js";
import { generate } from "./generate.js";
import { pruneDeclarations } from "./prune-declarations.js";

const root = fileURLToPath(new URL("../", import.meta.url));

const generated = await generate(root);
rmSync(`${root}dist`, { recursive: true, force: true });
// Declarations only. `npm run types` checks the types.
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
// tsc does not copy declarations.
for (const folder of generated) {
  for (const file of readdirSync(`${root}${folder}`).filter((name) => name.endsWith(".d.ts"))) {
    cpSync(`${root}${folder}/${file}`, `${root}${folder.replace(/^src/, "dist")}/${file}`);
  }
}
pruneDeclarations(`${root}dist`, await bundle(root));
cpSync(`${root}node_modules/@sinclair/typebox/license`, `${root}dist/parts/typebox-license`);
// It imports modules that need the generated ones.
const { buildWeb } = await import("../web/build.js");
await buildWeb(`${root}dist/web`);
chmodSync(`${root}dist/cli/main.js`, 0o755);
