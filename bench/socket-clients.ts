import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { ageOf } from "./support/stamp.js";

// A separate process with many WebSockets that cost as little as possible, so that mostly the server is measured.

/** The process's argument, as JSON. */
export interface ClientsJob {
  port: number;
  token: string;
  /** Each group of sockets has a path and a first message. */
  groups: { path: string; hello: string }[];
  socketsEach: number;
}

/** One round of frames, from the first to the last at any socket. */
export interface Round {
  frames: number;
  ms: number;
  /** The ages of the words when they arrived, at some of the sockets. */
  ages: number[];
}

/** One in this many sockets reads the frames that it receives. */
const LOOKS = 25;
const END = "run_end";
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

const job: ClientsJob = JSON.parse(process.argv[2] ?? "{}");
const all = job.groups.flatMap((group) => Array.from({ length: job.socketsEach }, () => group));
let waiting = all.length;
let ended = 0;
let round = { frames: 0, first: 0, ages: [] as number[] };

function receive(frame: Buffer, looks: boolean): void {
  if (round.frames++ === 0) round.first = performance.now();
  const age = looks ? ageOf(frame.toString("latin1")) : undefined;
  if (age !== undefined && frame.length < 1000) round.ages.push(age);
  if (frame.length > 1000 || !frame.includes(END) || ++ended < all.length) return;
  const { frames, first, ages } = round;
  ended = 0;
  round = { frames: 0, first: 0, ages: [] };
  process.send?.({ frames, ms: performance.now() - first, ages } satisfies Round);
}

for (const [index, { path, hello }] of all.entries()) {
  const socket = connect(job.port, "127.0.0.1");
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      `host: 127.0.0.1:${job.port}`,
      `authorization: Bearer ${job.token}`,
      "connection: upgrade",
      "upgrade: websocket",
      "sec-websocket-version: 13",
      `sec-websocket-key: ${randomBytes(16).toString("base64")}`,
      "\r\n",
    ].join("\r\n"),
  );
  let rest: Buffer = Buffer.alloc(0);
  let state: "upgrading" | "greeting" | "listening" = "upgrading";
  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (state === "upgrading") {
      const head = rest.indexOf("\r\n\r\n");
      if (head < 0) return;
      if (!rest.includes(" 101 ")) throw new Error(rest.toString());
      rest = rest.subarray(head + 4);
      state = "greeting";
      socket.write(masked(hello));
    }
    for (let frame = firstFrame(rest); frame !== undefined; frame = firstFrame(rest)) {
      rest = rest.subarray(frame.end);
      if (frame.isPing) socket.write(PONG);
      else if (state === "listening") receive(frame.payload, index % LOOKS === 0);
      else {
        state = "listening";
        if (--waiting === 0) process.send?.("ready");
      }
    }
  });
}

/** A server's frame: `81 7e 01 2c …`, the length in 7, 16 or 64 bits. */
function firstFrame(bytes: Buffer): { isPing: boolean; payload: Buffer; end: number } | undefined {
  const short = (bytes[1] ?? 0) & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const length =
    short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  const end = start + length;
  const isPing = bytes[0] === 0x89;
  return bytes.length < end ? undefined : { isPing, payload: bytes.subarray(start, end), end };
}

/** A client's frame, with a mask of zeros: `81 fe 00 c8 00 00 00 00 …` */
function masked(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([
    payload.length < 126 ? Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]) : head,
    payload,
  ]);
}

process.on("disconnect", () => process.exit());
