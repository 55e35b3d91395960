import type { BrowserStorage } from "../../gateway/token.js";

const KEY = "dragoman.notifications";

/** The browser's notifications; absent on pages that are served over plain HTTP from another computer. */
export interface Notifier {
  permission: NotificationPermission;
  request(): Promise<NotificationPermission>;
  show(title: string, body: string, onClick: () => void): void;
}

/** Whether and how this browser notifies its user. */
export class Notifications {
  readonly #storage: BrowserStorage;
  readonly #notifier: Notifier | undefined;

  constructor(storage: BrowserStorage, notifier: Notifier | undefined) {
    this.#storage = storage;
    this.#notifier = notifier;
  }

  get state(): "on" | "off" | "blocked" | "unsupported" {
    if (this.#notifier === undefined) return "unsupported";
    if (this.#notifier.permission === "denied") return "blocked";
    return this.#notifier.permission === "granted" && this.#storage.getItem(KEY) === "on" ? "on" : "off";
  }

  /** Asks the browser for permission if needed. */
  async turnOn(): Promise<void> {
    if (this.#notifier === undefined) return;
    if (this.#notifier.permission === "default") await this.#notifier.request();
    this.#storage.setItem(KEY, "on");
  }

  turnOff(): void {
    this.#storage.setItem(KEY, "off");
  }

  show(title: string, body: string, onClick: () => void): void {
    if (this.state === "on") this.#notifier?.show(title, body, onClick);
  }
}
