import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { postgresPrograms } from "./binaries.js";
import { copyServer, initialise, own, user } from "./data-folder.js";

export interface PostgresServer {
  /** `127.0.0.1:40123` */
  host: string;
  /** Its folder of data. */
  data: string;
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

type Settings = Readonly<Record<string, string>>;

/** @param settings of the server, such as `{ fsync: "on" }` */
export function startPostgres(settings: Settings = {}): Promise<PostgresServer> {
  return startServer(settings, async (data, { programs, folder, env }) =>
    initialise(programs, data, folder, env),
  );
}

/** A server that follows another one, and can be promoted when that is dead. */
export function startStandby(primary: PostgresServer, settings: Settings): Promise<PostgresServer> {
  const [host, port] = primary.host.split(":");
  const follows = { primary_conninfo: `host=${host} port=${port} user=postgres` };
  return startServer({ ...settings, ...follows }, (data) => copyServer(primary.url, primary.data, data));
}

interface Place {
  programs: string;
  folder: string;
  env: NodeJS.ProcessEnv;
}

async function startServer(
  settings: Settings,
  create: (data: string, place: Place) => Promise<void>,
): Promise<PostgresServer> {
  const programs = postgresPrograms();
  const folder = mkdtempSync(join(tmpdir(), "dragoman-pg-"));
  own(folder);
  const data = join(folder, "data");
  const env = { ...process.env, LC_ALL: "C", HOME: folder };
  await create(data, { programs, folder, env });
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
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = child;
    const lines = createInterface({ input: child.stderr });
    const isReady = await new Promise<boolean>((resolve) => {
      lines.on("line", (line) => {
        if (/ready to accept (read-only )?connections/.test(line)) resolve(true);
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
    host: `127.0.0.1:${port}`,
    data,
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
