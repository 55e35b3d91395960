import { DragomanError } from "../../core/error.js";

/** Where a store is in PostgreSQL. */
export interface Address {
  /** Tried in this order, until one accepts writes. */
  hosts: { host: string; port: number }[];
  database: string;
  user: string | undefined;
  password: string | undefined;
  /** Of the tables. Several stores can share a database. */
  schema: string;
  /** As `sslmode` of the address and `PGSSLMODE` name it. */
  encryption: Encryption;
  /** For people: without the password. */
  shown: string;
}

export type Encryption = "disable" | "no-verify" | "verify-full";

const DEFAULT_PORT = 5432;
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;
const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/;
/** `require` without a certificate to check against encrypts, and checks nothing, as in PostgreSQL's own programs. */
const ENCRYPTIONS = new Map<string, Encryption>([
  ["disable", "disable"],
  ["allow", "disable"],
  ["prefer", "disable"],
  ["require", "no-verify"],
  ["no-verify", "no-verify"],
  ["verify-ca", "verify-full"],
  ["verify-full", "verify-full"],
]);
const PARAMETERS = new Set(["schema", "sslmode", "target_session_attrs"]);

/**
 * Parses the address of a store. Throws `config/invalid`, without the password.
 *
 * @example
 * parseAddress("postgres://ann:secret@db1,db2:5433/dragoman?sslmode=verify-full&schema=team_a", process.env);
 */
export function parseAddress(address: string, env: Readonly<Record<string, string | undefined>>): Address {
  const parts =
    /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(
      address,
    );
  if (parts === null) throw badAddress("it is not postgres://USER:PASSWORD@HOST:PORT/DATABASE");
  const [, user, password, hostList = "", path = "", query = ""] = parts;
  // It would be shown as a host, a database or a parameter.
  if (/@/.test(hostList + path + query)) throw badAddress("its password contains a special character");
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!PARAMETERS.has(name)) throw badAddress(`it has the unknown parameter "${name}"`);
  }
  const schema = parameters.get("schema") ?? "dragoman";
  if (!SCHEMA.test(schema)) throw badAddress("its schema must be lower-case letters, digits and _");
  const mode = parameters.get("sslmode") ?? env["PGSSLMODE"] ?? "disable";
  const encryption = ENCRYPTIONS.get(mode);
  if (encryption === undefined) throw badAddress(`its sslmode "${mode}" is unknown`);
  const hosts = (hostList === "" ? (env["PGHOST"] ?? "localhost") : hostList).split(",").map(hostOf);
  const database = decoded(path) ?? env["PGDATABASE"] ?? "dragoman";
  const shownHosts = hosts.map(({ host, port }) => (port === DEFAULT_PORT ? host : `${host}:${port}`));
  const shown = `postgres://${shownHosts.join(",")}/${database}${schema === "dragoman" ? "" : `?schema=${schema}`}`;
  return {
    hosts,
    database,
    user: decoded(user) ?? env["PGUSER"],
    password: decoded(password) ?? env["PGPASSWORD"],
    schema,
    encryption,
    shown,
  };
}

function hostOf(text: string): Address["hosts"][number] {
  const [, host = "", port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (!HOST.test(host) || number < 1 || number > 65535)
    throw badAddress("one of its hosts or ports is not valid");
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: number };
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw badAddress('a "%" in it is not followed by two hexadecimal digits');
  }
}

function badAddress(why: string): DragomanError {
  return new DragomanError("config/invalid", `the address of the store is not valid: ${why}`, {
    hint: "write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, special characters percent-encoded",
  });
}
