import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installProgram } from "./install.js";
import { runProgram } from "./run-program.js";

/** A client of the Agent Client Protocol without a window. */
export const acpx = {
  name: "acpx",
  title: "acpx",
  package: "acpx",
  version: "0.19.1",
  entry: "acpx/dist/cli.js",
  node: ">=22",
} as const;

const LIMIT = 60_000;

const SCRIPT = [
  "think: I am asked to write.",
  "say: I write it.",
  'call: write {"file_path":"a.txt","content":"written through acpx"}',
  "---",
  "say: It is written.",
].join("\n");

/** Has acpx run `dragoman acp` with a prompt that needs a permission, and list its sessions. Returns what went wrong. */
export async function judgeAcp(version: string): Promise<string[]> {
  const { command } = await installProgram(acpx, version);
  const root = mkdtempSync(join(tmpdir(), "dragoman-acp-"));
  const home = join(root, "home");
  const project = join(root, "project");
  const user = join(root, "user");
  for (const folder of [home, project, user]) mkdirSync(folder);
  writeFileSync(join(home, "config.json"), '{"model":"demo/script"}');
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  const agent = `${process.execPath} ${main} acp --home ${home}`;
  const run = (...args: string[]) =>
    runProgram({
      command: [...command, "--agent", agent, "--approve-all", ...args],
      cwd: project,
      env: { HOME: user, PATH: process.env["PATH"] ?? "" },
      limit: LIMIT,
    });
  try {
    const answered = await run("exec", SCRIPT);
    const listed = await run("sessions", "list");
    const file = join(project, "a.txt");
    const written = existsSync(file) ? readFileSync(file, "utf8") : "nothing";
    const expected = ["[thinking] I am asked to write.", "I write it.", "It is written.", "[done] end_turn"];
    return [
      ...(answered.code === 0 ? [] : [`exec: exit code ${answered.code}: ${answered.stderr}`]),
      ...expected.filter((line) => !answered.stdout.includes(line)).map((line) => `exec: no line "${line}"`),
      ...(written === "written through acpx" ? [] : [`the file has: ${written}`]),
      ...(listed.stdout.includes(project) ? [] : [`sessions list: ${listed.stdout}${listed.stderr}`]),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
