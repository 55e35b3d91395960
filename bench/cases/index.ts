import type { Case } from "../support/case.js";

/** All cases, in the order in which they run. Each is loaded when used, so that a child process loads only its own. */
export const cases: Record<string, () => Promise<Case>> = {
  "start-up": async () => (await import("./start-up.js")).startUp,
  "tool-call-arguments": async () => (await import("./tool-call-arguments.js")).toolCallArguments,
  reduce: async () => (await import("./reduce.js")).reduce,
  validate: async () => (await import("./validate.js")).validate,
  "log-append": async () => (await import("./log-append.js")).logAppend,
  "postgres-append": async () => (await import("./postgres-append.js")).postgresAppend,
  "postgres-index": async () => (await import("./postgres-index.js")).postgresIndex,
  "postgres-gateways": async () => (await import("./postgres-gateways.js")).postgresGateways,
  "log-read": async () => (await import("./log-read.js")).logRead,
  providers: async () => (await import("./providers.js")).providers,
  "long-history": async () => (await import("./long-history.js")).longHistory,
  convert: async () => (await import("./convert.js")).convert,
  "log-search": async () => (await import("./log-search.js")).logSearch,
  "foreign-index": async () => (await import("./foreign-index.js")).foreignIndex,
  "gateway-start": async () => (await import("./gateway-start.js")).gatewayStart,
  "gateway-first-token": async () => (await import("./gateway-first-token.js")).gatewayFirstToken,
  "pass-through": async () => (await import("./pass-through.js")).passThrough,
  "gateway-resume": async () => (await import("./gateway-resume.js")).gatewayResume,
  "gateway-load": async () => (await import("./gateway-load.js")).gatewayLoad,
  "full-speed": async () => (await import("./full-speed.js")).fullSpeed,
  "front-ends": async () => (await import("./front-ends.js")).frontEnds,
  "web-deltas": async () => (await import("./web-deltas.js")).webDeltas,
  "web-large": async () => (await import("./web-large.js")).webLarge,
  "channel-latency": async () => (await import("./channel-latency.js")).channelLatency,
};
