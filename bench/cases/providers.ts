import type { Case, Host, Row, Work } from "../support/case.js";
import { cpuPerCall } from "../support/cpu.js";
import { type Aimed, growth, sizeName } from "../support/growth.js";
import { aiSdk, type ClientOf, floor, piAi, seen, unseen } from "../support/provider-clients.js";
import type { Kind, StreamedApi } from "../support/provider-streams.js";
import { startServer, stopServers } from "../support/server-process.js";

const APIS: StreamedApi[] = ["anthropic", "openai-chat"];
const SIZES: [Kind, number[]][] = [
  ["tool-call", [10_000, 100_000, 1_000_000]],
  ["text", [1_000_000]],
];

interface Contender {
  name: string;
  label: string;
  clientOf: ClientOf;
  ours?: boolean;
  /** The aim: at most this many times the floor's cost. */
  atMost?: number;
  /** The longest tool-call arguments that it is measured with. */
  largestCall?: number;
}

const contenders: Contender[] = [
  { name: "floor", label: "floor: fetch, parse each event", clientOf: floor },
  { name: "unseen", label: "dragoman", clientOf: unseen, ours: true, atMost: 1.25 },
  { name: "seen", label: "dragoman, a look at every event", clientOf: seen, ours: true },
  { name: "ai", label: "ai (streamText)", clientOf: aiSdk },
  // It reads all arguments again at every delta, so 1 MB would take many minutes.
  { name: "pi-ai", label: "@mariozechner/pi-ai", clientOf: piAi, largestCall: 100_000 },
];

function work({ clientOf }: Contender, api: StreamedApi): Work {
  return async (baseUrl) => {
    const client = await clientOf(api);
    const size = Number(baseUrl.split("/").at(-1));
    if ((await client(baseUrl)) !== size) throw new Error("the text did not arrive whole");
    return cpuPerCall(() => client(baseUrl));
  };
}

function jobsOf(origin: string, api: StreamedApi, kind: Kind, size: number): Aimed[] {
  return contenders
    .filter(({ largestCall = size }) => kind === "text" || size <= largestCall)
    .map(({ name, label, ours = false, atMost }) => ({
      ours,
      label: `${api.padEnd(11)}  ${kind.padEnd(9)}  ${sizeName(size).padEnd(6)}  ${label}`,
      work: `${api} ${name}`,
      argument: `${origin}/${api}/${kind}/${size}`,
      ...(atMost === undefined ? {} : { atMost }),
    }));
}

/** Runs the callback with the URL of a server in its own process, so that only the client's work is measured. */
async function withServer<T>(use: (origin: string) => Promise<T>): Promise<T> {
  const server = await startServer([".bench/servers/provider.js"]);
  try {
    return await use(server.url);
  } finally {
    await stopServers([server]);
  }
}

async function measure(host: Host, origin: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const api of APIS) {
    for (const [kind, sizes] of SIZES) {
      rows.push(...(await growth(host, sizes, (size) => jobsOf(origin, api, kind, size))));
    }
  }
  host.note("pi-ai is not run with a call of 1 MB: its cost grows with the square of the size.");
  return rows;
}

export const providers: Case = {
  title: "an answer from a server, in deltas of 20 bytes, on the client's side",
  peers: true,
  works: Object.fromEntries(
    APIS.flatMap((api) => contenders.map((contender) => [`${api} ${contender.name}`, work(contender, api)])),
  ),
  measure: (host) => withServer((origin) => measure(host, origin)),
};
