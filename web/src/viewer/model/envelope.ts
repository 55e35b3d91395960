import { isObject } from "dragoman/core";

/** A transcript to open: its bytes and what is known about them. */
export interface Source {
  name: string;
  bytes: Uint8Array;
  /** The dialect, if the user named one. */
  from?: string;
}

const LF = 0x0a;

/** An envelope is a line of JSON about the transcript, followed by its bytes. */
export function openEnvelope(envelope: Uint8Array): Source {
  const end = envelope.indexOf(LF);
  const about: unknown = JSON.parse(new TextDecoder().decode(envelope.subarray(0, end)));
  const { name, dialect } = isObject(about) ? about : {};
  return {
    name: typeof name === "string" ? name : "transcript",
    bytes: envelope.subarray(end + 1),
    ...(typeof dialect === "string" ? { from: dialect } : {}),
  };
}

/** The first line of an envelope. */
export function envelopeHead({ name, from }: Pick<Source, "name" | "from">): string {
  return `${JSON.stringify({ name, dialect: from })}\n`;
}
