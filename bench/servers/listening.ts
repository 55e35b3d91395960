import type { Server } from "node:http";

/** Listens on a free port and prints the address as `dragoman serve --json` does. */
export function listening(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    process.stdout.write(
      `${JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}`, token: "none" })}\n`,
    );
  });
}
