import type { Host, Row } from "./case.js";

/**
 * The store of a case on the server of the measurements, such as `postgres://postgres@127.0.0.1:5432/postgres`.
 *
 * @param part of the schema's name: cases do not see each other's sessions
 */
export function benchAddress(part: string): string | undefined {
  const given = process.env["DRAGOMAN_BENCH_POSTGRES"];
  if (given === undefined) return undefined;
  const address = new URL(given);
  address.searchParams.set("schema", `${address.searchParams.get("schema") ?? "bench"}_${part}`);
  return address.href;
}

export function noAddress(host: Host): Row[] {
  host.note("Not measured: set DRAGOMAN_BENCH_POSTGRES to the address of a PostgreSQL server.");
  return [];
}

export function noIndex(): never {
  throw new Error("other programs' sessions are not measured");
}
