import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { requireBuild } from "../support/cli/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const pages = [
  "README.md",
  ...readdirSync(join(root, "docs/guide"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs/guide", name)),
];

/** Every TypeScript snippet of a page as a module. One without imports continues the last one that has them. */
function modulesOf(page: string): string[] {
  let begun = "";
  return [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
    ([, snippet = ""]) => {
      if (!/^import /m.test(snippet)) return `${begun}\n{\n${snippet}}\n`;
      begun = snippet;
      return snippet;
    },
  );
}

/** Where the entries of the built package are, for the compiler. */
function entries(): Record<string, string[]> {
  const { exports }: { exports: Record<string, { types?: string } | string> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return Object.fromEntries(
    Object.entries(exports).flatMap(([entry, target]) =>
      typeof target === "string" || target.types === undefined
        ? []
        : [[entry.replace(/^\./, "dragoman"), [join(root, target.types)]]],
    ),
  );
}

beforeAll(requireBuild);

test("the TypeScript snippets of the README and the guides compile under strict", () => {
  const folder = temporaryFolder();
  const modules = pages.flatMap((page) =>
    modulesOf(page).map((text, index) => ({ name: `${page.replaceAll("/", "-")}-${index + 1}.mts`, text })),
  );
  expect(modules.length).toBeGreaterThanOrEqual(11);
  for (const { name, text } of modules) writeFileSync(join(folder, name), text);
  const options = {
    target: "es2023",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    // The types of some optional peers do not compile by themselves.
    skipLibCheck: true,
    // The folder has no packages of its own.
    typeRoots: [join(root, "node_modules/@types")],
    types: ["node", "ws"],
    paths: {
      ...entries(),
      ws: [join(root, "node_modules/@types/ws/index.d.mts")],
      "@openclaw/gateway-client": [join(root, "test/node_modules/@openclaw/gateway-client/dist/index.d.mts")],
    },
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: ["*.mts"] }),
  );
  expect(compile(folder)).toBe("");
});

/** What the compiler says. */
function compile(folder: string): string {
  try {
    return execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
      encoding: "utf8",
    });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
