import { WebSocket } from "ws";
import { connectDragoman } from "../../client/client.js";
import { readOutboxCounts } from "../../gateway/channels/outbox/outbox-counts.js";
import { PeopleStore } from "../../gateway/channels/people-store.js";
import type { Result } from "../../protocol/schema.js";
import { cellsAt } from "../../runtime/store-address.js";
import type { Arguments } from "../declaration.js";
import { OwnToken } from "../own-token.js";
import { findGateway } from "../running-gateway.js";
import { plainLine } from "../sessions/plain.js";
import { writeResult } from "../sessions/result.js";
import { reportLine } from "../terminal/report-line.js";
import { listing } from "../terminal/table.js";
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
  const url = await findGateway(there.home);
  const channels = url === undefined ? await offline(there) : await askGateway(there.home, url);
  if (values.json !== true && url === undefined)
    reportLine("no gateway is running for this home; `dragoman serve` starts one");
  const rows = channels.map((one) => [
    `${one.channel}/${one.account}`,
    one.state,
    ...numbers(one),
    detail(one),
  ]);
  const head = ["ACCOUNT", "STATE", "WAITING", "UNSENT", "UNKNOWN", "REFUSED", "PAIRING", ""];
  await writeResult(values.json, rows.length === 0 ? "no channels" : listing([head, ...rows]).join("\n"), {
    gateway: url ?? null,
    channels,
  });
  return 0;
}

/** Uses a token that exists for this request only. */
async function askGateway(home: string, url: string): Promise<Status[]> {
  const token = new OwnToken(home, "channels status", "read");
  try {
    const client = await connectDragoman({
      url: `${url.replace(/^http/, "ws")}/rpc`,
      token: await token.secret(),
      WebSocket,
    });
    try {
      return (await client.call("channels.status", {})).channels;
    } finally {
      client.close();
    }
  } finally {
    await token.close();
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
