import { WebSocket } from "ws";
import { connectDragoman, type DragomanClient } from "../../client/client.js";
import type { SocketLike } from "../../client/socket.js";
import { DragomanError } from "../../core/error.js";
import { TokenStore } from "../../gateway/auth/token-store.js";
import { rpc } from "../../gateway/rpc/protocol.js";
import { settingsOf } from "../../gateway/settings.js";
import type { Gateway, Logger, SocketRoute } from "../../gateway/types.js";
import { openCells } from "../../log/files/cells.js";
import { readConfig } from "../../runtime/config.js";
import { defaultModel } from "../../runtime/models.js";
import { Runtime } from "../../runtime/runtime.js";
import { LOCAL } from "../../runtime/usage/record.js";
import { findGateway } from "../running-gateway.js";
import { socketsOf } from "./home-socket.js";
import { LocalSocket } from "./local-socket.js";

/** Tokens end soon after their process; the connection gets a new one before. */
const TOKEN_MS = 24 * 60 * 60 * 1000;

/**
 * A client for a home's sessions. It uses the home's gateway if one runs, so that every client of the gateway sees the same
 * runs, and otherwise opens the home in this process. Each time the connection is lost, it looks for a gateway again.
 */
export class HomeConnection {
  readonly #home: string;
  readonly #logger: Logger;
  readonly #tokens: TokenStore;
  readonly #closing = new AbortController();
  /** The ids of tokens in use, each with its revocation once that has begun. */
  readonly #issued = new Map<string, Promise<void> | undefined>();
  #local: Promise<{ runtime: Runtime; route: SocketRoute }> | undefined;

  constructor(home: string, logger: Logger) {
    this.#home = home;
    this.#logger = logger;
    this.#tokens = new TokenStore(openCells(home));
  }

  connect(): Promise<DragomanClient> {
    // The socket knows where to connect, and with which token.
    return connectDragoman({ url: "home:", token: "", WebSocket: socketsOf(() => this.#open()) });
  }

  /** Revokes its tokens and stops the runs in this process. Runs of a gateway continue. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#issued.keys()].map((id) => this.#revoke(id)));
    const local = await this.#local?.catch(() => undefined);
    await local?.runtime.close();
  }

  /** An open socket. */
  async #open(): Promise<SocketLike> {
    const url = await findGateway(this.#home);
    const remote = url === undefined ? undefined : await this.#openRemote(url);
    if (remote !== undefined) return remote;
    this.#local ??= this.#openHome().catch((error: unknown) => {
      this.#local = undefined;
      throw error;
    });
    const { route } = await this.#local;
    return new LocalSocket(route, { scope: "admin", token: LOCAL, address: "local" });
  }

  /** Undefined if the gateway does not answer. */
  async #openRemote(url: string): Promise<SocketLike | undefined> {
    const { secret, entry } = await this.#tokens.create("dragoman acp", "admin", {
      expires: Date.now() + TOKEN_MS,
    });
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/rpc`, ["dragoman.v1", `bearer.${secret}`]);
    this.#issued.set(entry.id, undefined);
    return new Promise((resolve) => {
      socket.once("open", () => resolve(socket));
      socket.once("error", (error) => {
        this.#logger.warn({ err: error, url }, "the gateway does not answer; using the home directly");
        resolve(undefined);
      });
      socket.once("close", () => void this.#revoke(entry.id));
    });
  }

  #revoke(id: string): Promise<void> {
    const begun = this.#issued.get(id);
    if (begun !== undefined || !this.#issued.has(id)) return begun ?? Promise.resolve();
    const revoking = this.#tokens
      .revoke(id)
      .catch((error: unknown) => this.#logger.warn({ err: error }, "could not revoke a token"))
      .then(() => void this.#issued.delete(id));
    this.#issued.set(id, revoking);
    return revoking;
  }

  async #openHome(): Promise<{ runtime: Runtime; route: SocketRoute }> {
    const config = await readConfig(this.#home, process.env);
    const model = config.model ?? defaultModel(config, process.env);
    const runtime = new Runtime({
      home: this.#home,
      config: { ...config, model },
      waitsForAnswers: true,
      onNote: (text) => this.#logger.warn({}, text),
    });
    const gateway: Gateway = {
      runtime,
      tokens: this.#tokens,
      logger: this.#logger,
      metrics: { count: () => undefined, gauge: () => undefined },
      limits: settingsOf(config, process.env).limits,
      closing: this.#closing.signal,
      now: Date.now,
    };
    const [route] = rpc(gateway).sockets ?? [];
    if (route === undefined) throw new DragomanError("gateway/cannot-listen", "there is no route for /rpc");
    return { runtime, route };
  }
}
