import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** A part of a UI message, as far as the tests look at it. */
export interface UiPart {
  type: string;
  text?: string;
  state?: string;
  toolName?: string;
  toolCallId?: string;
  input?: unknown;
  output?: unknown;
  errorText?: string;
  approval?: { id: string; approved?: boolean };
}

export interface UiMessage {
  id: string;
  role: string;
  parts: UiPart[];
  metadata?: unknown;
}

/** What the three versions have in common. */
interface SdkChat {
  status: string;
  error: Error | undefined;
  messages: UiMessage[];
  sendMessage(message?: { text: string; messageId?: string }): Promise<void>;
  regenerate(options?: { messageId?: string }): Promise<void>;
  resumeStream(): Promise<void>;
  stop(): Promise<void>;
  addToolApprovalResponse?(answer: { id: string; approved: boolean }): Promise<void>;
}

export interface Sdk {
  AbstractChat: new (init: object) => SdkChat;
  DefaultChatTransport: new (options: object) => object;
  lastAssistantMessageIsCompleteWithApprovalResponses?: object;
}

const require = createRequire(import.meta.url);
const paths = {
  5: () => require.resolve("ai-5"),
  6: () => require.resolve("ai"),
  7: () => require.resolve("ai-7"),
};

/** The SDK of a version, as it is installed. */
export async function loadSdk(version: 5 | 6 | 7): Promise<Sdk> {
  return import(pathToFileURL(paths[version]()).href);
}

/** The state of a chat without React, which tells when it changes. */
class ChatState {
  #status = "ready";
  #error: Error | undefined;
  #messages: UiMessage[] = [];
  readonly #onChange: () => void;

  constructor(messages: UiMessage[], onChange: () => void) {
    this.#messages = messages;
    this.#onChange = onChange;
  }

  get status(): string {
    return this.#status;
  }

  set status(status: string) {
    this.#status = status;
    this.#onChange();
  }

  get error(): Error | undefined {
    return this.#error;
  }

  set error(error: Error | undefined) {
    this.#error = error;
    this.#onChange();
  }

  get messages(): UiMessage[] {
    return this.#messages;
  }

  set messages(messages: UiMessage[]) {
    this.#messages = messages;
    this.#onChange();
  }

  pushMessage = (message: UiMessage) => {
    this.messages = [...this.#messages, structuredClone(message)];
  };

  popMessage = () => {
    this.messages = this.#messages.slice(0, -1);
  };

  replaceMessage = (index: number, message: UiMessage) => {
    this.messages = this.#messages.with(index, structuredClone(message));
  };

  snapshot = <T>(value: T): T => structuredClone(value);
}

export interface ChatOptions {
  sdk: Sdk;
  /** `http://127.0.0.1:40123/ai-sdk/main/chat` */
  api: string;
  token: string;
  id: string;
  messages?: UiMessage[];
  approvals?: boolean;
  onClose?: "stop";
}

/** A chat of the official SDK with our gateway. */
export class AiChat {
  readonly chat: SdkChat;
  readonly #options: ChatOptions;
  readonly #headers: Record<string, string>;
  readonly #listeners = new Set<() => void>();

  constructor(options: ChatOptions) {
    const { sdk, api, token, id, messages = [], approvals = false, onClose } = options;
    this.#options = options;
    this.#headers = {
      authorization: `Bearer ${token}`,
      ...(approvals ? { "x-dragoman-approvals": "true" } : {}),
      ...(onClose === undefined ? {} : { "x-dragoman-on-close": onClose }),
    };
    const onChange = () => {
      for (const listener of this.#listeners) listener();
    };
    this.chat = new sdk.AbstractChat({
      id,
      state: new ChatState(messages, onChange),
      transport: new sdk.DefaultChatTransport({ api, headers: this.#headers }),
      ...(approvals
        ? { sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses }
        : {}),
    });
  }

  /** Another page of the same chat, with the history that the gateway has. */
  async reload(): Promise<AiChat> {
    return new AiChat({ ...this.#options, messages: await this.history() });
  }

  async history(): Promise<UiMessage[]> {
    const { api, id } = this.#options;
    const response = await fetch(`${api}/${encodeURIComponent(id)}`, { headers: this.#headers });
    return response.json();
  }

  async stopRun(): Promise<{ stopped: boolean }> {
    const { api, id } = this.#options;
    const url = `${api}/${encodeURIComponent(id)}/stop`;
    return (await fetch(url, { method: "POST", headers: this.#headers })).json();
  }

  /** The texts of the last message. */
  get text(): string {
    return textOf(this.chat.messages.at(-1));
  }

  get lastParts(): UiPart[] {
    return this.chat.messages.at(-1)?.parts ?? [];
  }

  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
      look();
    });
  }
}

export function textOf(message: UiMessage | undefined): string {
  return (message?.parts ?? []).flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("");
}
