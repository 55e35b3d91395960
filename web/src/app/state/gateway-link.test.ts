import { connectDragoman, type DragomanClient } from "dragoman/client";
import { expect, test } from "vitest";
import { TokenStore } from "../../gateway/token.js";
import { GatewayLink, type LinkWorld, type TokenStatus } from "./gateway-link.js";
import { memoryStorage } from "./memory-keeper.js";

const welcome = {
  protocol: 2,
  server: { name: "dragoman" },
  scope: "admin",
  methods: [],
  events: [],
  limits: { frameBytes: 1, unreadBytes: 1, batch: 1, inFlight: 1 },
};

/** A gateway that answers the greeting and nothing else. */
class Greeter {
  readonly #listeners = new Map<string, (event: { data: unknown; code: number; reason: string }) => void>();

  addEventListener(
    type: string,
    listener: (event: { data: unknown; code: number; reason: string }) => void,
  ): void {
    this.#listeners.set(type, listener);
    if (type === "open") this.#tell("open", undefined);
  }
  send(text: string): void {
    const { id } = JSON.parse(text);
    this.#tell("message", JSON.stringify({ jsonrpc: "2.0", id, result: welcome }));
  }
  close(): void {}

  #tell(type: string, data: unknown): void {
    queueMicrotask(() => this.#listeners.get(type)?.({ data, code: 0, reason: "" }));
  }
}

function begin(verdicts: TokenStatus[], kept?: string) {
  const keeper = new TokenStore(memoryStorage(), memoryStorage());
  if (kept !== undefined) keeper.store(kept, "all-tabs");
  const seen: string[] = [];
  const world: LinkWorld = {
    connect: (token): Promise<DragomanClient> =>
      token === "good" && verdicts.length === 0
        ? connectDragoman({ url: "ws://here/rpc", token, WebSocket: Greeter })
        : Promise.reject(new Error("no")),
    checkToken: async () => verdicts.shift() ?? "accepted",
    pause: async () => void seen.push("pause"),
  };
  const link = new GatewayLink(keeper, world);
  link.state.subscribe(() => {
    const state = link.state.get();
    seen.push(state.phase === "connecting" && state.isAway ? "away" : state.phase);
  });
  return { link, keeper, seen };
}

test("without a token it asks for one, and connects with it", async () => {
  const { link, keeper, seen } = begin([]);
  await link.start();
  await link.signIn("good", "this-tab");
  expect(seen).toEqual(["asking", "connecting", "open"]);
  expect(keeper.read()).toBe("good");
});

test("a token that is refused is said to be, and forgotten", async () => {
  const { link, keeper } = begin(["refused"], "wrong");
  await link.start();
  expect(link.state.get()).toEqual({ phase: "asking", why: "refused" });
  expect(keeper.read()).toBeUndefined();
});

test.each<TokenStatus>(["refused", "locked-out"])(
  "a wrong token of a link takes the place of no good one: %s",
  async (verdict) => {
    const { link, keeper, seen } = begin([verdict], "good");
    await link.signIn("wrong", "all-tabs");
    expect(seen).toEqual(["connecting", "connecting", "open"]);
    expect(keeper.read()).toBe("good");
  },
);

test("a token of a link takes the place of another once the gateway accepts it", async () => {
  const { link, keeper } = begin([], "older");
  await link.signIn("good", "all-tabs");
  expect([link.state.get().phase, keeper.read()]).toEqual(["open", "good"]);
});

test("a link's token survives a reload before the gateway accepts it, and is not kept as pending after that", async () => {
  const keeper = new TokenStore(memoryStorage(), memoryStorage());
  const never = new Promise<never>(() => undefined);
  const load = (connect: LinkWorld["connect"]) =>
    new GatewayLink(keeper, { connect, checkToken: async () => "away", pause: () => never });
  void load(() => never).signIn("good", "shared");
  const link = load((token) => connectDragoman({ url: "ws://here/rpc", token, WebSocket: Greeter }));
  await link.start();
  expect([link.state.get().phase, keeper.read(), keeper.pending()]).toEqual(["open", "good", undefined]);
});

test("a link's token that is refused is not tried again after a reload", async () => {
  const { link, keeper } = begin(["refused"]);
  await link.signIn("wrong", "all-tabs");
  expect([link.state.get().phase, keeper.pending()]).toEqual(["asking", undefined]);
});

test("a token that was pasted and is refused is said to be", async () => {
  const { link, keeper } = begin(["refused"]);
  await link.start();
  await link.signIn("wrong", "this-tab");
  expect(link.state.get()).toEqual({ phase: "asking", why: "refused" });
  expect(keeper.read()).toBeUndefined();
});

test("a gateway that is away is asked again, with the same token", async () => {
  const { link, seen } = begin(["away", "away"], "good");
  await link.start();
  expect(seen).toEqual(["connecting", "away", "pause", "away", "pause", "open"]);
});

test("whoever has tried too often is told to wait", async () => {
  const { link, keeper } = begin(["locked-out"], "good");
  await link.start();
  expect(link.state.get()).toMatchObject({ phase: "asking", why: "lockedOut" });
  expect(keeper.read()).toBe("good");
});

test("a connection that is lost comes back", async () => {
  const { link, seen } = begin([], "good");
  await link.start();
  const lost = link.onLost();
  link.onReconnected();
  await lost;
  expect(seen.filter((phase) => phase !== "pause")).toEqual(["connecting", "open", "lost", "open"]);
});

test("a link that ended with its gateway is said to have", async () => {
  const verdicts: TokenStatus[] = [];
  const { link } = begin(verdicts, "good");
  await link.start();
  verdicts.push("away", "refused");
  await link.onLost();
  expect(link.state.get()).toMatchObject({ phase: "asking", why: "ended" });
});

test("a token that another tab was given meanwhile takes the place of one that ended", async () => {
  const verdicts: TokenStatus[] = [];
  const { link, keeper, seen } = begin(verdicts, "good");
  await link.start();
  verdicts.push("refused");
  const lost = link.onLost();
  keeper.store("better", "all-tabs");
  verdicts.push("away", "refused");
  await lost;
  expect(seen.slice(0, 6)).toEqual(["connecting", "open", "lost", "connecting", "away", "pause"]);
  expect(keeper.read()).toBeUndefined();
});

test("a verdict on a token that comes after another token has connected changes nothing", async () => {
  const keeper = new TokenStore(memoryStorage(), memoryStorage());
  let judge = (_: TokenStatus) => {};
  const link = new GatewayLink(keeper, {
    connect: (token) =>
      token === "good"
        ? connectDragoman({ url: "ws://here/rpc", token, WebSocket: Greeter })
        : Promise.reject(new Error("no")),
    checkToken: () =>
      new Promise((resolve) => {
        judge = resolve;
      }),
    pause: async () => undefined,
  });
  for (const late of ["away", "refused", "locked-out"] as const) {
    const first = link.signIn("slow", "this-tab");
    const asked = judge;
    await expect.poll(() => judge).not.toBe(asked);
    await link.signIn("good", "this-tab");
    judge(late);
    await first;
    expect([late, link.state.get().phase, keeper.read()]).toEqual([late, "open", "good"]);
  }
});
