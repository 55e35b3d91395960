import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { call, failureOf } from "../../test/support/tool-call.js";
import { execTool } from "./exec.js";
import { type SandboxOptions, sandboxArguments, sandboxProblem } from "./sandbox.js";
import { Workspace } from "./workspace.js";

const problem = await sandboxProblem("/tmp", {});
if (problem !== undefined) process.stderr.write(`skipped: tests of the sandbox; ${problem.message}\n`);

function prepared(sandbox: SandboxOptions = {}) {
  const root = temporaryFolder();
  return { root, tool: execTool(new Workspace(root), { sandbox, graceMs: 100 }) };
}

async function outputOf(command: string, sandbox: SandboxOptions = {}): Promise<string> {
  return `${(await call(prepared(sandbox).tool, { command })).content}`;
}

describe.skipIf(problem !== undefined)("a command in a sandbox", () => {
  test.each([
    ["echo hello", { content: "hello", details: { exitCode: 0, signal: null }, isError: false }],
    [
      "echo 1; echo 2 >&2; exit 3",
      { content: "1\n2\n[exit code 3]", details: { exitCode: 3, signal: null }, isError: true },
    ],
    [
      `echo "$0" "$#" "it's" '"'`,
      { content: `/bin/sh 0 it's "`, details: { exitCode: 0, signal: null }, isError: false },
    ],
    ["cat; echo end", { content: "end", details: { exitCode: 0, signal: null }, isError: false }],
  ])("has the output and exit code that it has outside: %s", async (command, output) => {
    const outside = execTool(new Workspace(temporaryFolder()));
    expect(await call(prepared().tool, { command })).toEqual(output);
    expect(await call(outside, { command })).toEqual(output);
  });

  test("works in the workspace, and can change it", async () => {
    const { root, tool } = prepared();
    writeFileSync(join(root, "before.txt"), "old");
    const { content } = await call(tool, { command: "pwd; cat before.txt; echo new > after.txt" });
    expect(content).toBe(`${root}\nold`);
    expect(readFileSync(join(root, "after.txt"), "utf8")).toBe("new\n");
  });

  test("cannot change anything outside, not even through a link", async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, "file.txt"), "as it was");
    const { root, tool } = prepared();
    symlinkSync(outside, join(root, "link"));
    const attempts = [
      `echo x > ${outside}/file.txt`,
      "echo x > link/file.txt",
      "echo x > ../new.txt",
      "touch /usr/dragoman-was-here",
      "touch /etc/dragoman-was-here",
      "touch /var/tmp/dragoman-was-here",
    ];
    for (const command of attempts) await call(tool, { command });
    expect(readFileSync(join(outside, "file.txt"), "utf8")).toBe("as it was");
    expect(readdirSync(outside)).toEqual(["file.txt"]);
    expect(existsSync(join(root, "../new.txt"))).toBe(false);
    for (const folder of ["/usr", "/etc", "/var/tmp"]) {
      expect(existsSync(`${folder}/dragoman-was-here`)).toBe(false);
    }
    expect(await outputOf("touch /usr/x")).toBe(
      "touch: cannot touch '/usr/x': Read-only file system\n[exit code 1]",
    );
  });

  test("cannot see home folders, temporary files, sockets of services, or other processes", async () => {
    expect(await outputOf(`ls -A "${homedir()}" /run`)).toBe(`${homedir()}:\n\n/run:`);
    const other = temporaryFolder();
    writeFileSync(join(other, "secret.txt"), "secret");
    expect(await outputOf(`cat ${other}/secret.txt`)).toContain("No such file or directory");
    expect(await outputOf("ls -d /proc/[0-9]* | wc -l")).toMatch(/^[1-9]$/);
    expect(await outputOf(`kill -0 ${process.pid}`)).toContain("No such process");
  });

  test("cannot see what is hidden, wherever the workspace is", async () => {
    const home = temporaryFolder();
    const workspace = join(home, "agents/main/workspace");
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(home, "tokens.json"), "secret");
    const inner = execTool(new Workspace(workspace), { sandbox: { hide: [home] } });
    expect((await call(inner, { command: "cat ../../../tokens.json; touch here; ls" })).content).toMatch(
      /No such file or directory\nhere$/,
    );
    expect(readdirSync(workspace)).toEqual(["here"]);
    const outer = temporaryFolder();
    mkdirSync(join(outer, ".dragoman"));
    writeFileSync(join(outer, ".dragoman/tokens.json"), "secret");
    const around = execTool(new Workspace(outer), { sandbox: { hide: [join(outer, ".dragoman")] } });
    expect((await call(around, { command: "ls -A . .dragoman" })).content).toBe(
      ".:\n.dragoman\n\n.dragoman:",
    );
  });

  test("has every place hidden that others may have files in", async () => {
    const found = await sandboxArguments(temporaryFolder(), {});
    const places = ["/home", "/root", "/run", "/tmp", "/var/tmp"].filter((place) => existsSync(place));
    const mounts = places.map((place) => found[found.indexOf(realpathSync(place)) - 1]);
    expect(mounts).toEqual(places.map(() => "--tmpfs"));
  });

  test("runs also for a user whose home folder is the root of the file system", async () => {
    vi.stubEnv("HOME", "/");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await outputOf("echo hello")).toBe("hello");
  });

  test("can read and change what its settings list", async () => {
    const [readable, writable] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(readable, "a.txt"), "readable");
    const settings = { read: [readable], write: [writable] };
    const command = `cat ${readable}/a.txt; echo; echo x > ${readable}/b.txt; echo y > ${writable}/c.txt`;
    expect(await outputOf(command, settings)).toMatch(/^readable\n.*b\.txt: Read-only file system$/);
    expect(readdirSync(readable)).toEqual(["a.txt"]);
    expect(readFileSync(join(writable, "c.txt"), "utf8")).toBe("y\n");
  });

  test("has a network only when it is allowed", async () => {
    const server = createServer((_, response) => response.end("answered")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const { root, tool } = prepared();
    const open = execTool(new Workspace(root), { sandbox: { network: true, read: [process.execPath] } });
    const closed = execTool(new Workspace(root), { sandbox: { read: [process.execPath] } });
    const command = `"${process.execPath}" -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).catch((e) => e.cause.code).then(console.log)'`;
    expect((await call(open, { command })).content).toBe("answered");
    expect((await call(closed, { command })).content).toBe("ECONNREFUSED");
    expect(
      (await call(tool, { command: "ls /sys/class/net; tail -n +3 /proc/net/dev | wc -l" })).content,
    ).toMatch(/1$/);
  });

  test("has no privileges, and cannot get any", async () => {
    expect(await outputOf("grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status")).toBe(
      "CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1",
    );
  });

  test.each([
    ["its shell", "echo begun; sleep SECONDS"],
    ["a process that ignores SIGTERM", "trap '' TERM; echo begun; sleep SECONDS & wait; wait"],
    ["a process that left its group", "setsid sleep SECONDS & echo begun; sleep SECONDS"],
  ])("ends on abort with %s", async (_, command) => {
    const seconds = `${Math.floor(Math.random() * 1e9) + 1e9}`;
    const stop = new AbortController();
    const output = await call(
      prepared().tool,
      { command: command.replaceAll("SECONDS", seconds) },
      {
        signal: stop.signal,
        update() {
          void vi.waitFor(() => expect(running(seconds)).toBeGreaterThan(0)).then(() => stop.abort());
        },
      },
    );
    expect(output).toMatchObject({ details: { exitCode: null, stopped: "aborted" }, isError: true });
    expect(output.content).toBe("begun\n[the user stopped it]");
    await vi.waitFor(() => expect(running(seconds)).toBe(0), { timeout: 10_000 });
  });

  test("leaves nothing behind in the background", async () => {
    const seconds = `${Math.floor(Math.random() * 1e9) + 1e9}`;
    expect(await outputOf(`setsid sleep ${seconds} > /dev/null 2>&1 & echo done`)).toBe("done");
    await vi.waitFor(() => expect(running(seconds)).toBe(0), { timeout: 10_000 });
  });

  test("does not run when a path of the settings does not exist", async () => {
    expect(await failureOf(outputOf("touch ran", { read: ["/no/such/folder"] }))).toBe(
      'tools/no-sandbox: commands cannot run in a sandbox: "/no/such/folder" in its settings does not exist',
    );
  });
});

/** How many processes have this word in their command line. */
function running(word: string): number {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").includes(word);
    } catch {
      // It has ended since.
      return false;
    }
  }).length;
}

describe.runIf(process.platform === "linux")("without a sandbox that works", () => {
  test("the error tells how to install it", async () => {
    const failure = sandboxArguments("/tmp", {}, ["/no/such/bwrap"]);
    await expect(failure).rejects.toMatchObject({
      code: "tools/no-sandbox",
      message: "commands cannot run in a sandbox: bubblewrap is not installed",
      hint: "install it, such as with `apt-get install bubblewrap`, or remove the agent's `sandbox` setting",
    });
  });

  test("the error has the reason of bubblewrap", async () => {
    const fake = join(temporaryFolder(), "bwrap");
    writeFileSync(fake, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n");
    chmodSync(fake, 0o755);
    await expect(sandboxArguments("/tmp", {}, [fake])).rejects.toMatchObject({
      code: "tools/no-sandbox",
      message: "commands cannot run in a sandbox: bwrap: No permissions to create new namespace",
    });
  });
});
