import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach } from "vitest";
import type { AgentMessage } from "../../../src/core/types.js";
import { modelProtocols } from "../../../src/gateway/models/protocols.js";
import type { Config } from "../../../src/runtime/schema.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

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

export interface ModelGateway extends TestGateway {
  /** The texts of a session, as `role: text`. */
  told(session: string): Promise<string[]>;
  sessions(): Promise<string[]>;
  /** Starts another on the same home. */
  restart(config?: Config, options?: { silenceMs?: number }): Promise<void>;
}

/** A gateway for every test of a file: `main` repeats, `worker` does what it is told. */
export function gatewayForEachTest(): () => ModelGateway {
  let home = "";
  let current: ModelGateway | undefined;

  async function start(more: Config, options: { silenceMs?: number }): Promise<ModelGateway> {
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
    const gateway = await testGateway([(given) => modelProtocols(given, options)], { home, config });
    const { runtime } = gateway;
    return {
      ...gateway,
      told: async (session) => (await (await runtime.open(session)).messages()).flatMap(lineOf),
      sessions: async () => {
        const ids: string[] = [];
        for await (const { id } of runtime.log.list()) ids.push(id);
        return ids;
      },
      restart: async (changed = {}, changedOptions = {}) => {
        await gateway.stop();
        current = await start(changed, changedOptions);
      },
    };
  }

  beforeEach(async () => {
    home = temporaryFolder();
    const workspace = join(home, "agents/worker/workspace");
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(workspace, "a.txt"), "hello\n");
    current = await start({}, {});
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
