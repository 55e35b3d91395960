import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { channelNames, loadChannel } from "../src/channels/registry.js";
import { commands } from "../src/cli/commands.js";
import { completed } from "../src/cli/declaration.js";
import { registry } from "../src/dialects/registry.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const pages = [
  ...readdirSync(root),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name)),
].filter((path) => path.endsWith(".md"));

test.each(Object.keys(registry))("the dialect %s has a page", (name) => {
  expect(pages).toContain(`docs/spec/${name}.md`);
});

test.each(channelNames)("the guide says how %s is added, and which packages it needs", async (name) => {
  const { packages } = await loadChannel(name);
  const guide = readFileSync(join(root, "docs/guide/channels.md"), "utf8");
  const add = pages
    .filter((page) => page.startsWith("docs/guide/channels"))
    .filter((page) => readFileSync(join(root, page), "utf8").includes(`dragoman channels add ${name}`));
  expect(add).not.toEqual([]);
  expect(packages.filter(({ name: client, install = client }) => !guide.includes(install))).toEqual([]);
});

test("every test that the page about security names exists", () => {
  const page = readFileSync(join(root, "docs/security.md"), "utf8");
  const named = [...page.matchAll(/`([^`]+\.test\.ts)`: ("[^"|]+"(?:, "[^"|]+")*)/g)].flatMap(
    ([, path = "", names = ""]) => [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(({ path, name }) => !readFileSync(join(root, path), "utf8").includes(name));
  expect(missing).toEqual([]);
});

/** The source and what tests share, as one text. */
function sourceText(): string {
  return ["src", "web/src", "test/fakes", "test/conformance"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
}

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("every file and name that %s mentions exists", (page) => {
  const text = readFileSync(join(root, page), "utf8").replace(/[\w./-]*<name>[\w./-]*/g, "");
  const paths = [...text.matchAll(/\b(?:src|web|test|docs|scripts|bench)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  );
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const source = sourceText();
  const names = [...text.matchAll(/`([A-Za-z]\w*(?:\.[a-z]\w*)?)`/g)].flatMap(([, name = ""]) =>
    name.split("."),
  );
  const symbols = names.filter((name) => /[a-z][A-Z]|^[A-Z][a-z]/.test(name));
  expect(symbols.length).toBeGreaterThan(5);
  expect(symbols.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([]);
});

test("every link of the documents leads to a file", () => {
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
      ([, link = ""]) => ({
        page,
        link,
      }),
    ),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ page, link }) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

test("the commands that the documents show have the options that they are given", async () => {
  const actions = await Promise.all(
    commands.flatMap((command) => ("subcommands" in command ? command.subcommands : command)).map(completed),
  );
  const groups = commands.filter((command) => "subcommands" in command).map(({ name }) => name);
  let checked = 0;
  const unknown = pages.flatMap((page) =>
    [
      ...readFileSync(join(root, page), "utf8").matchAll(/\bdragoman ((?:[a-z]+)(?: [a-z]+)?)([^\n`|>;)]*)/g),
    ].flatMap(([line, words = "", rest = ""]) => {
      const [first = ""] = words.split(" ");
      const action = actions.find(({ name }) => name === (groups.includes(first) ? words : first));
      const options = [...rest.matchAll(/(?<= )--([a-z-]+)/g)].map(([, name = ""]) => name);
      if (action === undefined || options.length === 0) return [];
      checked += options.length;
      const known = [...Object.keys(action.options), "help", "no-color"];
      return options.every((name) => known.includes(name)) ? [] : [`${page}: ${line}`];
    }),
  );
  expect(checked).toBeGreaterThan(50);
  expect(unknown).toEqual([]);
});
