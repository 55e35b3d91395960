import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { opencodeDatabase } from "../../../test/fakes/opencode-database.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { mainFolder, placesOf } from "./program-places.js";
import { programs } from "./programs.js";
import { sourcesOf } from "./sources.js";

function places(name: string, env: Record<string, string>, home = "/home/ann") {
  const program = programs[name];
  if (program === undefined) throw new Error(`no program ${name}`);
  return placesOf(program, env, home);
}

test("OPENCODE_DB names a database by its path, or in opencode's folder", () => {
  const usual = ["opencode*.db/{id}", "storage/session/*/{id}.json"];
  const data = "/home/ann/.local/share/opencode";
  expect(places("opencode", {})).toEqual({ roots: [data], files: usual });
  expect(places("opencode", { OPENCODE_DB: ":memory:" })).toEqual({ roots: [data], files: usual });
  expect(places("opencode", { OPENCODE_DB: "/data/work.sqlite" })).toEqual({
    roots: ["/data", data],
    files: ["work.sqlite/{id}", ...usual],
  });
  expect(places("opencode", { OPENCODE_DB: "work.db", XDG_DATA_HOME: "/xdg" })).toEqual({
    roots: ["/xdg/opencode"],
    files: ["work.db/{id}", ...usual],
  });
});

test("the sessions of a database that OPENCODE_DB names are found once", async () => {
  const folder = temporaryFolder();
  const env = { OPENCODE_DB: join(folder, "opencode-work.db"), XDG_DATA_HOME: temporaryFolder() };
  const opencode = opencodeDatabase(env.OPENCODE_DB);
  opencode.addSession("ses_1");
  opencode.addUser("ses_1", "msg_1", "Where is the ferry timetable?");
  opencode.publish();
  const source = sourcesOf({}, env, () => undefined).find(({ name }) => name === "opencode");
  const paths: string[] = [];
  for await (const { path } of source?.sessions() ?? []) paths.push(path);
  expect(paths).toEqual([join(folder, "opencode-work.db/ses_1")]);
});

test("Qwen Code's setting moves its sessions, unless a variable does", () => {
  const home = temporaryFolder();
  mkdirSync(join(home, ".qwen"));
  const settings = join(home, ".qwen/settings.json");
  writeFileSync(settings, '{"advanced":{"runtimeOutputDir":"~/runtime"}}');
  expect(places("qwen-code", {}, home).roots).toEqual([
    join(home, "runtime/projects"),
    join(home, "runtime/tmp"),
    join(home, ".qwen/projects"),
    join(home, ".qwen/tmp"),
  ]);
  expect(mainFolder("qwen-code", {}, home)).toBe(join(home, "runtime/projects"));
  expect(mainFolder("qwen-code", { QWEN_RUNTIME_DIR: "/data" }, home)).toBe("/data/projects");
  writeFileSync(settings, "{");
  expect(mainFolder("qwen-code", {}, home)).toBe(join(home, ".qwen/projects"));
});
