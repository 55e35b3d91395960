import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import type { PostgresServer } from "./server.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Answers with the address of the shared PostgreSQL, which the first request starts. */
    postgresDoor: string;
  }
}

/** One PostgreSQL for all test files, started when the first of them asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<PostgresServer> | undefined;
  const door = createServer((_request, response) => {
    starting ??= import("./server.js").then(({ startPostgres }) => startPostgres());
    starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  door.unref();
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  project.provide("postgresDoor", `http://127.0.0.1:${address.port}`);
  return async () => {
    door.close();
    await (await starting)?.stop();
  };
}
