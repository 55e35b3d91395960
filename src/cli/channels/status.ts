import { WebSocket } from "ws";
import { connectDragoman, type DragomanClient } from "../../client/client.js";
import { DragomanError } from "../../core/error.js";
import { TokenStore } from "../../gateway/auth/token-store.js";
import { readOutboxCounts } from "../../gateway/channels/outbox/outbox-counts.js";
import { PeopleStore } from "../../gateway/channels/people-store.js";
import { settingsOf, urlOf } from "../../gateway/settings.js";
import type { Result } from "../../protocol/schema.js";
import { cellsAt } from "../../runtime/store-address.js";
import type { Arguments } from "../declaration.js";
import { probeGateway } from "../running-gateway.js";
import { plainLine } from "../sessions/plain.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { table } from "../terminal/table.js";
import { type ChannelsAtHome, channelsAt } from "./at-home.js";
import type { statusCommand } from "./commands.js";
import { shownPerson } from "./shown-person.js";

type Status = Result<"channels.status">["channels"][number];

/** The state of an account while no gateway runs. */
interface Offline {
  channel: string;
  account: string;
  state: "off";
  unsent: number;
  unknown: number;
  refused: number;
  pairing: number;
}

export async function run({ values }: Arguments<typeof statusCommand>): Promise<number> {
  const there = await channelsAt(values.home);
  const { host, port } = settingsOf(there.config, process.env, { port: values.port });
  const url = urlOf({ host, port });
  // A home without tokens has never run a gateway: one that answers belongs to another home.
  const tokens = new TokenStore(cellsAt(there.home));
  const runs = port !== 0 && (await tokens.exists()) && (await probeGateway(url)) === "gateway";
  const channels = runs ? await askGateway(tokens, url) : await offline(there);
  if (values.json !== true && !runs)
    reportLine(`no gateway is running at ${url}; \`dragoman serve\` starts one`);
  const rows = channels.map((one) => [
    `${one.channel}/${one.account}`,
    one.state,
    ...numbers(one),
    detail(one),
  ]);
  const head = ["ACCOUNT", "STATE", "WAITING", "UNSENT", "UNKNOWN", "REFUSED", "PAIRING", ""];
  await writeResult(values.json, rows.length === 0 ? "no channels" : table([head, ...rows]).join("\n"), {
    gateway: runs ? url : null,
    channels,
  });
  return 0;
}

/** Uses a token that exists for this request only. */
async function askGateway(tokens: TokenStore, url: string): Promise<Status[]> {
  const { secret, entry } = await tokens.create("channels status", "read");
  try {
    const client = await connectTo(url, secret);
    try {
      return (await client.call("channels.status", {})).channels;
    } finally {
      client.close();
    }
  } finally {
    await tokens.revoke(entry.id);
  }
}

async function connectTo(url: string, token: string): Promise<DragomanClient> {
  try {
    return await connectDragoman({ url: `${url.replace(/^http/, "ws")}/rpc`, token, WebSocket });
  } catch (error) {
    throw new DragomanError("client/refused", `the gateway at ${url} rejects this home's tokens`, {
      hint: "if it belongs to another home, pass --home or --port",
      cause: error,
    });
  }
}

function offline({ home, accounts }: ChannelsAtHome): Promise<Offline[]> {
  return Promise.all(
    accounts.map(async ({ channel, account }) => ({
      channel,
      account,
      state: "off" as const,
      ...(await readOutboxCounts(home, channel, account)),
      pairing: (await new PeopleStore(cellsAt(home), channel, account).pending()).length,
    })),
  );
}

function numbers(one: Status | Offline): string[] {
  const waiting = one.state === "off" ? "-" : one.waiting;
  return [waiting, one.unsent, one.unknown, one.refused, one.pairing].map(String);
}

function detail(one: Status | Offline): string {
  if (one.state === "off") return "";
  const parts = [one.me === undefined ? "" : shownPerson(one.me), one.why ?? "", one.hint ?? ""];
  return parts
    .filter((part) => part !== "")
    .map((part) => plainLine(part))
    .join("; ");
}
