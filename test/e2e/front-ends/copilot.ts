import { CopilotKitCore, CopilotKitCoreRuntimeConnectionStatus } from "@copilotkit/core";

/** CopilotKit, connected to our gateway, and its agent for a thread. */
export async function copilot(url: string, token: string, threadId: string) {
  // It reads the page's address.
  const location = { origin: "http://localhost", href: "http://localhost" };
  Object.assign(globalThis, { window: { location } });
  const core = new CopilotKitCore({
    runtimeUrl: `${url}/ag-ui`,
    headers: { authorization: `Bearer ${token}` },
  });
  await new Promise<void>((resolve) => {
    const look = () => {
      if (core.runtimeConnectionStatus === CopilotKitCoreRuntimeConnectionStatus.Connected) resolve();
    };
    core.subscribe({ onRuntimeConnectionStatusChanged: look });
    look();
  });
  const agent = core.getAgent("main");
  if (agent === undefined) throw new Error("the runtime has no agent");
  agent.threadId = threadId;
  return { core, agent };
}
