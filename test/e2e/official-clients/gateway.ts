import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { AgentMessage } from "../../../src/core/types.js";
import { modelProtocols } from "../../../src/gateway/models/protocols.js";
import { Runtime } from "../../../src/runtime/runtime.js";
import type { Config } from "../../../src/runtime/schema.js";
import { type BareGateway, bareGateway } from "../../fakes/bare-endpoints.js";

/** A picture of one red pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/** What an agent on `demo/script` does: it says something, reads a file, and tells what it found. */
export const SCRIPT = [
  "think: Hm.",
  "say: Let me look.",
  'call: read {"file_path":"a.txt"}',
  "---",
  "say: It is there.",
].join("\n");

export interface TestGateway {
  url: string;
  server: BareGateway;
  runtime: Runtime;
  /** The texts of a session, as `role: text`. */
  told(session: string): Promise<string[]>;
  sessions(): Promise<string[]>;
  /** Starts another on the same home. */
  restart(config?: Config, options?: { silenceMs?: number }): Promise<void>;
}

/** A gateway for every test of a file: `main` repeats, `worker` does what it is told. */
export function gatewayForEachTest(): () => TestGateway {
  let home = "";
  let current: TestGateway | undefined;

  async function start(more: Config, options: { silenceMs?: number }): Promise<TestGateway> {
    const config: Config = {
      ...more,
      agents: {
        worker: {
          model: "demo/script",
          systemPrompt: "You work.",
          permissions: [{ tool: "*", action: "allow" }],
        },
        ...more.agents,
      },
    };
    const runtime = new Runtime({ home, config });
    const server = await bareGateway(runtime, (gateway) => modelProtocols(gateway, options));
    return {
      url: server.url,
      server,
      runtime,
      told: async (session) => (await (await runtime.open(session)).messages()).flatMap(lineOf),
      sessions: async () => {
        const ids: string[] = [];
        for await (const { id } of runtime.log.list()) ids.push(id);
        return ids;
      },
      restart: async (changed = {}, changedOptions = {}) => {
        await stop();
        current = await start(changed, changedOptions);
      },
    };
  }

  async function stop(): Promise<void> {
    await current?.server.close();
    await current?.runtime.close();
    current = undefined;
  }

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), "dragoman-gateway-"));
    const workspace = join(home, "agents/worker/workspace");
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(workspace, "a.txt"), "hello\n");
    current = await start({}, {});
  });
  afterEach(async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  });
  return () => {
    if (current === undefined) throw new Error("there is a gateway only within a test");
    return current;
  };
}

function lineOf(message: AgentMessage): string[] {
  if (message.role === "toolResult") return ["toolResult"];
  if (message.role !== "user" && message.role !== "assistant") return [];
  const { content } = message;
  if (typeof content === "string") return [`${message.role}: ${content}`];
  const blocks = content.map((block) => (block.type === "text" ? block.text : `(${block.type})`));
  return [`${message.role}: ${blocks.join("")}`];
}
