import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@ag-ui/client";
import { a2aProtocol } from "../../../src/gateway/a2a/protocol.js";
import { agUiProtocol } from "../../../src/gateway/ag-ui/protocol.js";
import { aiSdkProtocol } from "../../../src/gateway/ai-sdk/protocol.js";
import { openClawProtocol } from "../../../src/gateway/openclaw/protocol.js";
import type { Config } from "../../../src/runtime/schema.js";
import { type TestGateway, type TestGatewayOptions, testGateway } from "../../fakes/gateway.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** What the agent on `demo/script` does: it thinks, reads a file, and reports. */
export const SCRIPT = [
  "think: Hm.",
  "say: Let me look.",
  'call: read {"file_path":"a.txt"}',
  "---",
  "say: It is there.",
].join("\n");

/** An agent that follows scripts, in a folder with one file. */
export function scripted(more: NonNullable<Config["agents"]>[string] = {}): Config {
  const workspace = temporaryFolder();
  writeFileSync(join(workspace, "a.txt"), "Buy milk.");
  return { agents: { main: { model: "demo/script", workspace, ...more } } };
}

/** A gateway with all front ends. */
export function frontGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  return testGateway([aiSdkProtocol, agUiProtocol, a2aProtocol, openClawProtocol], options);
}

/** The texts and stop reasons of a page's session. */
export async function storedChat(gateway: TestGateway, id: string) {
  const session = await gateway.runtime.log.find(`agent:main:page:dm:${id}`);
  return storedSession(gateway, session ?? "");
}

export async function storedSession({ runtime }: TestGateway, session: string) {
  const conversation = await runtime.open(session);
  const stored = await conversation.messages();
  const texts = stored.flatMap((message) => {
    if (message.role === "user") return [`user: ${String(message.content)}`];
    if (message.role !== "assistant") return [];
    return message.content.flatMap((block) => (block.type === "text" ? [`assistant: ${block.text}`] : []));
  });
  const stops = stored.flatMap((message) => (message.role === "assistant" ? [message.stopReason] : []));
  return { conversation, texts, stops };
}

/** A subscriber of an AG-UI agent: fulfilled when the last message has this text. */
export function untilText(text: string): { subscriber: object; seen: Promise<void> } {
  let resolve = () => {};
  const seen = new Promise<void>((given) => {
    resolve = given;
  });
  const onMessagesChanged = ({ messages }: { messages: Message[] }) => {
    if (messages.at(-1)?.content === text) resolve();
  };
  return { subscriber: { onMessagesChanged }, seen };
}
