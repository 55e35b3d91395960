import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { isObject } from "../../src/core/json/value.js";
import { metricProblems, type ReceivedSpan, readSpan, spanProblems } from "./otlp-rules.js";

type Json = Record<string, unknown>;

/** How the next request is answered instead of with 200. */
export interface CollectorAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A collector that refuses what the protocol does not allow, and keeps the rest. */
export class OtlpCollector {
  readonly spans: ReceivedSpan[] = [];
  readonly metrics: Json[] = [];
  readonly resources: Json[] = [];
  readonly requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  /** What it refused, with the reason. A test ends with none. */
  readonly refused: string[] = [];
  readonly answers: CollectorAnswer[] = [];
  url = "";
  #arrived = () => {};
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    this.requests.push({ path: request.url ?? "", headers: request.headers, body });
    const answer = this.answers.shift() ?? this.#accept(request.url ?? "", request.headers, body);
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify(answer.body ?? {}));
    this.#arrived();
  });

  /** Listens until the test ends. */
  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    onTestFinished(() => this.stop());
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Fulfilled when this holds, after a request. */
  async until(isEnough: (collector: this) => boolean): Promise<void> {
    while (!isEnough(this)) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  /** The span with this name; the only one. */
  span(name: string): ReceivedSpan {
    const found = this.spans.filter((span) => span.name === name);
    if (found.length !== 1 || found[0] === undefined) {
      const names = this.spans.map((span) => span.name).join(", ");
      throw new Error(`expected one span "${name}" among: ${names}`);
    }
    return found[0];
  }

  #accept(path: string, headers: IncomingHttpHeaders, body: string): CollectorAnswer {
    const problems = this.#read(path, headers, body);
    if (problems.length === 0) return { status: 200 };
    this.refused.push(...problems);
    return { status: 400, body: { message: problems.join("; ") } };
  }

  #read(path: string, headers: IncomingHttpHeaders, body: string): string[] {
    if (headers["content-type"] !== "application/json") return [`content-type ${headers["content-type"]}`];
    const request: unknown = JSON.parse(body);
    if (!isObject(request)) return ["not an object"];
    if (path === "/v1/traces") return this.#readAll(request, "resourceSpans", "scopeSpans", "spans");
    if (path === "/v1/metrics") return this.#readAll(request, "resourceMetrics", "scopeMetrics", "metrics");
    return [`nothing is served at ${path}`];
  }

  #readAll(request: Json, outer: string, inner: string, items: "spans" | "metrics"): string[] {
    const problems = unknownKeys(request, [outer]);
    for (const group of listIn(request, outer)) {
      problems.push(...unknownKeys(group, ["resource", inner]));
      if (isObject(group["resource"])) this.resources.push(group["resource"]);
      else problems.push("no resource");
      for (const scoped of listIn(group, inner)) {
        problems.push(...unknownKeys(scoped, ["scope", items]));
        for (const item of listIn(scoped, items)) {
          const found = items === "spans" ? spanProblems(item) : metricProblems(item);
          problems.push(...found);
          if (found.length > 0) continue;
          if (items === "spans") this.spans.push(readSpan(item));
          else this.metrics.push(item);
        }
      }
    }
    return problems;
  }
}

function listIn(value: Json, key: string): Json[] {
  const list = value[key];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function unknownKeys(value: Json, known: readonly string[]): string[] {
  return Object.keys(value).flatMap((key) => (known.includes(key) ? [] : [`unknown field ${key}`]));
}
