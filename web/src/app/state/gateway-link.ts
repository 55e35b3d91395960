import type { DragomanClient, Result } from "dragoman/client";
import type { TokenKeeper } from "../../gateway/token.js";
import { Store } from "./store.js";

/** What the gateway says of itself and of what this token may do. */
export type Welcome = Result<"connect">;

export type Link =
  /** A token is needed; `why` when the one that was there is not accepted. */
  | { phase: "asking"; why?: string }
  | { phase: "connecting"; isAway: boolean }
  | { phase: "open" | "lost"; client: DragomanClient; welcome: Welcome };

export type Verdict = "accepted" | "refused" | "locked-out" | "away";

export interface LinkWorld {
  connect(token: string): Promise<DragomanClient>;
  /** Whether a token is accepted. A WebSocket in a browser does not tell why it could not be opened. */
  judge(token: string): Promise<Verdict>;
  pause(ms: number): Promise<void>;
}

const PAUSE_MS = 1000;

const REFUSED = "The gateway does not accept this token.";
const ENDED =
  "The gateway was started again, and the link this page was opened with was good only until then. Open the link that it has printed, or paste a token.";
const LOCKED_OUT = "There were too many wrong tokens. Wait a minute, then try again.";

/** The connection to the gateway: made with a token, made again when it is lost, given up when the token is refused. */
export class GatewayLink {
  readonly state = new Store<Link>({ phase: "connecting", isAway: false });
  readonly #world: LinkWorld;
  readonly #keeper: TokenKeeper;
  /** Of several attempts only the last one counts. */
  #attempt = 0;

  constructor(keeper: TokenKeeper, world: LinkWorld) {
    this.#keeper = keeper;
    this.#world = world;
  }

  /** Connects with what was kept, or asks. */
  start(): Promise<void> {
    const token = this.#keeper.read();
    if (token !== undefined) return this.#connect(token);
    this.#ask();
    return Promise.resolve();
  }

  /** Takes the place of the token that was kept only once the gateway accepts it: any page can open a link with a wrong one. */
  give(token: string, where: "this-tab" | "all-tabs"): Promise<void> {
    return this.#connect(token, () => this.#keeper.keep(token, where));
  }

  signOut(): void {
    this.#keeper.forget();
    this.#ask();
  }

  /** The client has lost its connection, and makes it again by itself as long as the token is good. */
  async lost(): Promise<void> {
    const link = this.state.get();
    const token = this.#keeper.read();
    if (link.phase !== "open" || token === undefined) return;
    this.state.set({ ...link, phase: "lost" });
    while (this.#isLost(link.client)) {
      const verdict = await this.#world.judge(token);
      if (verdict === "refused" && this.#isLost(link.client)) {
        return this.#refused(token, ENDED);
      }
      if (verdict === "accepted") link.client.hurry();
      await this.#world.pause(PAUSE_MS);
    }
  }

  back(): void {
    const link = this.state.get();
    if (link.phase === "lost") this.state.set({ ...link, phase: "open" });
  }

  #isLost(client: DragomanClient): boolean {
    const link = this.state.get();
    return link.phase === "lost" && link.client === client;
  }

  /** Another one may be kept: one from before, or one that another tab was given meanwhile. */
  async #refused(token: string, why: string): Promise<void> {
    const kept = this.#keeper.read();
    if (kept !== undefined && kept !== token) return this.#connect(kept);
    this.#keeper.forget();
    this.#ask(why);
  }

  /** Wrong tokens lock out only each other. */
  async #lockedOut(token: string): Promise<void> {
    const kept = this.#keeper.read();
    if (kept !== undefined && kept !== token) return this.#connect(kept);
    this.#ask(LOCKED_OUT);
  }

  #ask(why?: string): void {
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
        // Why, a browser does not say: it has to be found out.
        const verdict = await this.#world.judge(token);
        if (attempt !== this.#attempt) return;
        if (verdict === "refused") return this.#refused(token, REFUSED);
        if (verdict === "locked-out") return this.#lockedOut(token);
        this.state.set({ phase: "connecting", isAway: true });
        await this.#world.pause(PAUSE_MS);
      }
    }
  }
}
