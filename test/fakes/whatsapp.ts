import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWhatsAppServer } from "@openclaw/crabline";
import { BufferJSON, initAuthCreds } from "baileys";
import { newId } from "../../src/core/ids.js";
import { isObject } from "../../src/core/json/value.js";

/** Crabline's WhatsApp, behind a wire that can be cut. */
export class WhatsAppFake {
  /** Ids of the messages whose receipt was told. */
  readonly receipts: string[] = [];
  /** Ids of those that were told to be read. */
  readonly read: string[] = [];
  readonly #said: { id: string; chat: string; text: string }[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #wires = new Set<Socket>();
  readonly #behind = new Set<Socket>();
  readonly #crabline: Awaited<ReturnType<typeof startWhatsAppServer>>;
  readonly #front = createServer((wire) => this.#join(wire));
  #next: "lost" | "silent" | undefined;
  #port = 0;
  /** The most connections that were open at the same time. */
  mostOpen = 0;

  private constructor(crabline: Awaited<ReturnType<typeof startWhatsAppServer>>) {
    this.#crabline = crabline;
  }

  static async start(): Promise<WhatsAppFake> {
    let fake: WhatsAppFake | undefined;
    const crabline = await startWhatsAppServer({
      recorderPath: join(tmpdir(), `crabline-${newId()}.jsonl`),
      onEvent: (event) => {
        if (fake !== undefined) fake.#see(event);
      },
    });
    fake = new WhatsAppFake(crabline);
    await fake.resume();
    return fake;
  }

  get manifest() {
    return this.#crabline.manifest;
  }

  get socketUrl(): string {
    const url = new URL(this.manifest.endpoints.baileysWebSocketUrl);
    url.port = String(this.#port);
    return url.href;
  }

  /** Makes the folder of an account one whose device was linked. */
  linkDevice(folder: string): void {
    const creds = { ...initAuthCreds(), me: { id: this.manifest.selfJid } };
    mkdirSync(join(folder, "keys"), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, "keys/creds.json"), JSON.stringify(creds, BufferJSON.replacer), {
      mode: 0o600,
    });
  }

  /** Somebody says it. Fulfilled with the message's id. */
  async says(message: { chatJid: string; senderJid?: string; pushName?: string } & Record<string, unknown>) {
    const reply = await fetch(this.manifest.endpoints.adminInboundUrl, {
      method: "POST",
      headers: { "content-type": "application/json", "x-crabline-admin-token": this.manifest.adminToken },
      body: JSON.stringify({ senderJid: message.chatJid, ...message }),
    });
    const body: unknown = await reply.json();
    const said = isObject(body) ? body["message"] : undefined;
    const key = isObject(said) ? said["key"] : undefined;
    if (!isObject(key)) throw new Error(`crabline answered ${reply.status}: ${JSON.stringify(body)}`);
    return String(key["id"]);
  }

  /** What was sent to somebody, oldest first. */
  said(chat: string): string[] {
    return this.#said.filter((message) => message.chat === chat).map(({ text }) => text);
  }

  /** Under which ids. */
  ids(): string[] {
    return this.#said.map(({ id }) => id);
  }

  /** Fulfilled when it holds, which is looked at whenever something comes from the device. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** The next message is taken, and before this is told the wire is cut, or nothing is told any more. */
  failNext(fault: "lost" | "silent"): void {
    this.#next = fault;
  }

  cut(): void {
    for (const wire of this.#wires) wire.destroy();
  }

  /** Nobody gets through until `resume`. */
  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#front.close(resolve));
  }

  async resume(): Promise<void> {
    await new Promise<void>((resolve) => this.#front.listen(this.#port, "127.0.0.1", resolve));
    const address = this.#front.address();
    this.#port = isObject(address) ? Number(address["port"]) : 0;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#crabline.close();
  }

  #join(wire: Socket): void {
    const behind = connect(Number(new URL(this.manifest.baseUrl).port), "127.0.0.1");
    this.#wires.add(wire);
    this.mostOpen = Math.max(this.mostOpen, this.#wires.size);
    this.#behind.add(behind);
    wire.pipe(behind).pipe(wire);
    for (const [one, other] of [
      [wire, behind],
      [behind, wire],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => {
        other.destroy();
        this.#wires.delete(one);
        this.#behind.delete(one);
      });
    }
  }

  #see(event: unknown): void {
    if (!isObject(event) || !isObject(event["body"])) return;
    const { tag, attrs, key, message } = event["body"];
    if (tag === "receipt" && isObject(attrs))
      (attrs["type"] === "read" ? this.read : this.receipts).push(String(attrs["id"]));
    if (event["accepted"] === true && isObject(key) && isObject(message)) {
      this.#said.push({
        id: String(key["id"]),
        chat: String(key["remoteJid"]),
        text: String(message["conversation"]),
      });
      if (this.#next === "lost") this.cut();
      if (this.#next === "silent") for (const behind of this.#behind) behind.unpipe();
      this.#next = undefined;
    }
    for (const watcher of [...this.#watchers]) watcher();
  }
}
