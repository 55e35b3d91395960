import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { postgresPrograms } from "./binaries.js";

/** The user that the server runs as if the tests run as root, which it refuses. */
const NOBODY = 65_534;

export interface PostgresServer {
  port: number;
  /** The address of its database, to which `?schema=` can be added. */
  url: string;
  /** The server's main process. */
  pid(): number;
  /** Ends it like a power failure of the process: no shutdown, recovery at the next start. */
  kill(): Promise<void>;
  /** After `kill`. */
  start(): Promise<void>;
  /** Ends it and deletes its files. */
  stop(): Promise<void>;
}

/** @param settings of the server, such as `{ fsync: "on" }` */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const programs = postgresPrograms();
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const folder = mkdtempSync(join(tmpdir(), "dragoman-pg-"));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, "data");
  const environment = { ...process.env, LC_ALL: "C", HOME: folder };
  const initialise = ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(programs, "initdb"), initialise, {
    ...user,
    cwd: folder,
    env: environment,
    stdio: "pipe",
  });
  const port = await freePort();
  const all = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "64MB",
    // Survives the end of the server, not that of the machine.
    fsync: "off",
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let server: ChildProcess | undefined;

  const launch = async (): Promise<boolean> => {
    const child = spawn(join(programs, "postgres"), ["-D", data, ...options], {
      ...user,
      cwd: folder,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = child;
    const lines = createInterface({ input: child.stderr });
    const isReady = await new Promise<boolean>((resolve) => {
      lines.on("line", (line) => {
        if (line.includes("ready to accept connections")) resolve(true);
      });
      child.once("exit", () => resolve(false));
    });
    return isReady;
  };

  const kill = async (signal: NodeJS.Signals) => {
    const child = server;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };

  const start = async () => {
    // After a kill, the last of its processes may still be ending.
    for (let attempt = 0; !(await launch()); attempt++) {
      if (attempt === 50) throw new Error("PostgreSQL did not start");
      await setTimeout(100);
    }
  };

  await start();
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: () => server?.pid ?? 0,
    kill: () => kill("SIGKILL"),
    start,
    stop: async () => {
      await kill("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
