import type { DragomanClient, Result } from "dragoman/client";
import type { TokenPlace, TokenStore } from "../../gateway/token.js";
import { Store } from "./store.js";

/** The gateway's description of itself and of what this token allows. */
export type Welcome = Result<"connect">;

/** Why the stored token was not accepted; `ended` if the gateway was restarted. */
export type SignInReason = "refused" | "ended" | "lockedOut";

export type Link =
  /** A token is needed; `why` if the stored one was rejected. */
  | { phase: "asking"; why?: SignInReason }
  | { phase: "connecting"; isAway: boolean }
  | { phase: "open" | "lost"; client: DragomanClient; welcome: Welcome };

export type TokenStatus = "accepted" | "refused" | "locked-out" | "away";

export interface LinkWorld {
  connect(token: string): Promise<DragomanClient>;
  /** Whether a token is accepted. Browsers do not report why a WebSocket could not be opened. */
  checkToken(token: string): Promise<TokenStatus>;
  pause(ms: number): Promise<void>;
}

const PAUSE_MS = 1000;

/** The connection to the gateway: opened with a token, restored when lost, closed when the token is rejected. */
export class GatewayLink {
  readonly state = new Store<Link>({ phase: "connecting", isAway: false });
  readonly #world: LinkWorld;
  readonly #tokens: TokenStore;
  /** Only the latest attempt counts. */
  #attempt = 0;

  constructor(keeper: TokenStore, world: LinkWorld) {
    this.#tokens = keeper;
    this.#world = world;
  }

  /** Connects with the stored token, or asks for one. */
  start(): Promise<void> {
    const pending = this.#tokens.pending();
    if (pending !== undefined) return this.signIn(pending.text, pending.where);
    const token = this.#tokens.read();
    if (token !== undefined) return this.#connect(token);
    this.#ask();
    return Promise.resolve();
  }

  /** Replaces the stored token only once the gateway accepts the new one, because any page can open a link with an invalid one. */
  signIn(token: string, where: TokenPlace): Promise<void> {
    this.#tokens.setPending({ text: token, where });
    return this.#connect(token, () => {
      this.#tokens.store(token, where);
      this.#tokens.clearPending();
    });
  }

  /** Stores another token for the next connections of this browser; the current one keeps its own. */
  keep(token: string): void {
    this.#tokens.store(token, "all-tabs");
  }

  /** Called when the connection is lost. The client reconnects by itself while the token is valid. */
  async onLost(): Promise<void> {
    const link = this.state.get();
    const token = this.#tokens.read();
    if (link.phase !== "open" || token === undefined) return;
    this.state.set({ ...link, phase: "lost" });
    while (this.#isLost(link.client)) {
      const verdict = await this.#world.checkToken(token);
      if (verdict === "refused" && this.#isLost(link.client)) return this.#reject(token, "ended");
      if (verdict === "accepted") link.client.hurry();
      await this.#world.pause(PAUSE_MS);
    }
  }

  onReconnected(): void {
    const link = this.state.get();
    if (link.phase === "lost") this.state.set({ ...link, phase: "open" });
  }

  #isLost(client: DragomanClient): boolean {
    const link = this.state.get();
    return link.phase === "lost" && link.client === client;
  }

  /** Tries the stored token if it is another one: an older one, or one that another tab received meanwhile. */
  async #reject(token: string, why: SignInReason): Promise<void> {
    if (this.#tokens.pending()?.text === token) this.#tokens.clearPending();
    const stored = this.#tokens.read();
    if (stored !== undefined && stored !== token) return this.#connect(stored);
    // A lockout does not mean that this token is invalid.
    if (why !== "lockedOut") this.#tokens.remove(token);
    this.#ask(why);
  }

  #ask(why?: SignInReason): void {
    this.#attempt++;
    this.#closeClient();
    this.state.set({ phase: "asking", ...(why === undefined ? {} : { why }) });
  }

  #closeClient(): void {
    const link = this.state.get();
    if (link.phase === "open" || link.phase === "lost") link.client.close();
  }

  async #connect(token: string, onAccepted?: () => void): Promise<void> {
    const attempt = ++this.#attempt;
    this.#closeClient();
    this.state.set({ phase: "connecting", isAway: false });
    while (attempt === this.#attempt) {
      try {
        const client = await this.#world.connect(token);
        const welcome = await client.call("connect", {});
        if (attempt !== this.#attempt) {
          client.close();
          return;
        }
        onAccepted?.();
        this.state.set({ phase: "open", client, welcome });
        return;
      } catch {
        const verdict = await this.#world.checkToken(token);
        if (attempt !== this.#attempt) return;
        if (verdict === "refused") return this.#reject(token, "refused");
        if (verdict === "locked-out") return this.#reject(token, "lockedOut");
        this.state.set({ phase: "connecting", isAway: true });
        await this.#world.pause(PAUSE_MS);
      }
    }
  }
}
