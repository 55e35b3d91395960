import type { workspace } from "../../support/cli/run-cli.js";
import { startServe } from "../../support/cli/serve-process.js";

/** A gateway in a process of its own, in the workspace of a test file, with a token of scope `admin`. */
export interface KillableGateway {
  token: string;
  url: string;
  /** `kill -9`, and the same gateway again. */
  killAndStart(): Promise<void>;
}

export async function startKillable(
  { path, put, dragoman }: ReturnType<typeof workspace>,
  agent: object,
): Promise<KillableGateway> {
  put("home/config.json", JSON.stringify({ agents: { main: { model: "demo/script", ...agent } } }));
  const { stdout } = await dragoman(["token", "create", "--scope", "admin", "--home", path("home")]);
  let server = await startServe(path("home"));
  const { url } = server;
  return {
    token: stdout.trim(),
    url,
    async killAndStart() {
      server.child.kill("SIGKILL");
      await server.ended;
      server = await startServe(path("home"), ["--port", new URL(url).port]);
    },
  };
}
