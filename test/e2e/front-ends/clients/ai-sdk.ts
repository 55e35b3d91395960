import { AiChat, loadSdk } from "../ai-chat.js";
import { type ClientKind, inBackground, type Place, type SessionClient } from "./session-client.js";

/** `ai` of a version. Version 5 has no approvals. */
export function aiSdk(version: 5 | 6 | 7): ClientKind {
  return {
    name: `ai ${version}`,
    async open({ url, token, session }: Place) {
      const api = `${url}/ai-sdk/main/chat`;
      const page = new AiChat({
        sdk: await loadSdk(version),
        api,
        token,
        id: session,
        approvals: version > 5,
      });
      return version === 5 ? new AiSdkClient(page) : new ApprovingClient(page);
    },
  };
}

class AiSdkClient implements SessionClient {
  protected readonly page: AiChat;

  constructor(page: AiChat) {
    this.page = page;
  }

  get answer(): string {
    return this.page.chat.messages.at(-1)?.role === "assistant" ? this.page.text : "";
  }

  async send(text: string): Promise<void> {
    await this.page.chat.sendMessage({ text });
    if (this.page.chat.error !== undefined) throw this.page.chat.error;
  }

  shows(answer: string): Promise<void> {
    return this.page.until(() => this.answer === answer);
  }

  async stop(): Promise<void> {
    await this.page.stopRun();
  }

  async reload(): Promise<SessionClient> {
    await this.page.chat.stop();
    return this.join();
  }

  async join(): Promise<SessionClient> {
    const page = await this.page.reload();
    inBackground(page.chat.resumeStream());
    return this.sameKind(page);
  }

  protected sameKind(page: AiChat): SessionClient {
    return new AiSdkClient(page);
  }
}

class ApprovingClient extends AiSdkClient {
  async approve(): Promise<void> {
    const part = this.page.lastParts.findLast(({ state }) => state === "approval-requested");
    await this.page.chat.addToolApprovalResponse?.({ id: part?.approval?.id ?? "", approved: true });
    // The page continues by itself.
    await this.page.until(
      () => this.page.chat.status === "ready" && this.page.lastParts.at(-1)?.type !== "dynamic-tool",
    );
  }

  protected override sameKind(page: AiChat): SessionClient {
    return new ApprovingClient(page);
  }
}
