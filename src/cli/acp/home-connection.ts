import { WebSocket } from "ws";
import { connectDragoman, type DragomanClient } from "../../client/client.js";
import type { SocketLike } from "../../client/socket.js";
import { DragomanError } from "../../core/error.js";
import { TokenStore } from "../../gateway/auth/token-store.js";
import { rpc } from "../../gateway/rpc/protocol.js";
import { settingsOf } from "../../gateway/settings.js";
import type { Gateway, Logger, SocketRoute } from "../../gateway/types.js";
import { readConfig } from "../../runtime/config.js";
import { configOf } from "../../runtime/live-config.js";
import { defaultModel } from "../../runtime/models.js";
import { openTelemetry } from "../../runtime/open-telemetry.js";
import { Runtime } from "../../runtime/runtime.js";
import { openStore } from "../../runtime/sessions.js";
import { cellsAt } from "../../runtime/store-address.js";
import { LOCAL } from "../../runtime/usage/record.js";
import { OwnToken } from "../own-token.js";
import { findGateway } from "../running-gateway.js";
import { socketsOf } from "./home-socket.js";
import { LocalSocket } from "./local-socket.js";

/**
 * A client for a home's sessions. It uses the home's gateway if one runs, so that every client of the gateway sees the same
 * runs, and otherwise opens the home in this process. Each time the connection is lost, it looks for a gateway again.
 */
export class HomeConnection {
  readonly #home: string;
  readonly #logger: Logger;
  readonly #token: OwnToken;
  readonly #closing = new AbortController();
  #local: Promise<{ runtime: Runtime; route: SocketRoute }> | undefined;

  constructor(home: string, logger: Logger) {
    this.#home = home;
    this.#logger = logger;
    this.#token = new OwnToken(home, "dragoman acp", "admin");
  }

  connect(): Promise<DragomanClient> {
    // The socket knows where to connect, and with which token.
    return connectDragoman({ url: "home:", token: "", WebSocket: socketsOf(() => this.#open()) });
  }

  /** Revokes its token and stops the runs in this process. Runs of a gateway continue. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#token
      .close()
      .catch((error: unknown) => this.#logger.warn({ err: error }, "could not revoke a token"));
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
    const secret = await this.#token.secret();
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/rpc`, ["dragoman.v1", `bearer.${secret}`]);
    return new Promise((resolve) => {
      socket.once("open", () => resolve(socket));
      socket.once("error", (error) => {
        this.#logger.warn({ err: error, url }, "the gateway does not answer; using the home directly");
        resolve(undefined);
      });
    });
  }

  async #openHome(): Promise<{ runtime: Runtime; route: SocketRoute }> {
    const config = await readConfig(this.#home, process.env);
    const model = config.model ?? defaultModel(config, process.env);
    const onNote = (text: string) => this.#logger.warn({}, text);
    const store = await openStore(this.#home, process.env, onNote);
    const runtime = new Runtime({
      telemetry: await openTelemetry(onNote),
      home: this.#home,
      config: { ...config, model },
      store,
      waitsForAnswers: true,
      onNote,
    });
    const gateway: Gateway = {
      runtime,
      tokens: new TokenStore(cellsAt(this.#home)),
      config: configOf(runtime),
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
