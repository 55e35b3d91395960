import type { Host, Row } from "./case.js";

/** The server of the measurements, such as `postgres://postgres@127.0.0.1:5432/postgres?schema=bench`. */
export function benchAddress(): string | undefined {
  return process.env["DRAGOMAN_BENCH_POSTGRES"];
}

export function noAddress(host: Host): Row[] {
  host.note("Not measured: set DRAGOMAN_BENCH_POSTGRES to the address of a PostgreSQL server.");
  return [];
}

export function noIndex(): never {
  throw new Error("other programs' sessions are not measured");
}
