/** A transcript as it comes to the viewer: its bytes, and what is known of them. */
export interface Source {
  name: string;
  bytes: Uint8Array;
  /** The dialect somebody named. */
  from?: string;
}

const LF = 0x0a;

/** A line about the transcript, then its bytes as they are. */
export function openEnvelope(envelope: Uint8Array): Source {
  const end = envelope.indexOf(LF);
  const about: unknown = JSON.parse(new TextDecoder().decode(envelope.subarray(0, end)));
  const dialect = textIn(about, "dialect");
  return {
    name: textIn(about, "name") ?? "transcript",
    bytes: envelope.subarray(end + 1),
    ...(dialect === undefined ? {} : { from: dialect }),
  };
}

function textIn(about: unknown, key: string): string | undefined {
  if (typeof about !== "object" || about === null) return undefined;
  const text: unknown = Reflect.get(about, key);
  return typeof text === "string" ? text : undefined;
}

/** Its head; the bytes follow it. */
export function envelopeHead({ name, from }: Pick<Source, "name" | "from">): string {
  return `${JSON.stringify({ name, dialect: from })}\n`;
}
