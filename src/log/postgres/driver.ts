import type { Client } from "pg";
import { DragomanError } from "../../core/error.js";
import type { Address } from "./address.js";

const CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;

/** Opens a connection to the server that accepts writes. */
export type Connect = () => Promise<Client>;

async function loadDriver(): Promise<typeof Client> {
  try {
    const { default: pg } = await import("pg");
    return pg.Client;
  } catch (cause) {
    throw new DragomanError(
      "log/no-driver",
      "a store in PostgreSQL needs the package pg, which is not installed",
      {
        hint: "npm install pg",
        cause,
      },
    );
  }
}

/**
 * @param settings of the server for this connection, such as `{ synchronous_commit: "off" }`
 */
export function connector(address: Address, settings: Readonly<Record<string, string>>): Connect {
  const { schema, database, user, password, encryption } = address;
  const all = { search_path: schema, application_name: "dragoman", ...settings };
  const options = Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
  const ssl = encryption === "disable" ? false : { rejectUnauthorized: encryption === "verify-full" };
  return async () => {
    const Driver = await loadDriver();
    let failure: unknown;
    for (const { host, port } of address.hosts) {
      const client = new Driver({
        host,
        port,
        database,
        ...(user === undefined ? {} : { user }),
        ...(password === undefined ? {} : { password }),
        ssl: ssl === false ? false : { ...ssl, servername: host },
        options,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
        connectionTimeoutMillis: CONNECT_MS,
      });
      // Without a listener, an error of an idle connection would end the process.
      client.on("error", () => undefined);
      try {
        await client.connect();
        if (address.hosts.length === 1 || (await acceptsWrites(client))) return client;
        failure ??= new Error(`${host}:${port} is a standby`);
      } catch (error) {
        failure = error;
      }
      client.end().catch(() => undefined);
    }
    throw failure;
  };
}

async function acceptsWrites(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  return rows[0]?.transaction_read_only === "off";
}
