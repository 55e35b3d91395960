import { DragomanError } from "../../core/error.js";
import { parseJson } from "../../core/json/parse.js";
import { readFrame, type TimbalFrame } from "./frame.js";
import type { TimbalMessage } from "./live-message.js";
import { Transcript } from "./transcript.js";

/** The effect of one frame. `index` is the message's place in its stream; `isNew`: it did not exist before. */
export type TimbalChange =
  | {
      kind: "started" | "completed";
      stream: string | undefined;
      message: TimbalMessage;
      index: number;
      isNew: boolean;
    }
  | { kind: "appended"; stream: string | undefined; message: TimbalMessage; text: string }
  | { kind: "removed"; stream: string | undefined; message: TimbalMessage; index: number }
  | { kind: "error"; stream: string | undefined; code: string; message: string | undefined }
  | { kind: "ignored"; why: string };

type MessageFrame = Exclude<TimbalFrame, { kind: "error" | "ignored" }>;

/**
 * The receiving end of a Timbal connection: frames in, transcripts out. It never throws: frames that the protocol tells
 * receivers to ignore are ignored and counted.
 *
 * The first message frame decides whether the connection is multiplexed; frames of the other kind are ignored.
 *
 * @example
 * const receiver = new TimbalReceiver({ onChange: (change) => render(change) });
 * socket.onmessage = ({ data }) => data.split("\n").forEach((line) => line && receiver.receiveLine(line));
 */
export class TimbalReceiver {
  readonly #streams = new Map<string | undefined, Transcript>();
  readonly #ignored = new Map<string, number>();
  readonly #onChange: ((change: TimbalChange) => void) | undefined;
  #multiplexed: boolean | undefined;

  constructor(options: { onChange?: (change: TimbalChange) => void } = {}) {
    this.#onChange = options.onChange;
  }

  /** Accepts a parsed frame. */
  receive(frame: unknown): TimbalChange {
    return this.#report(this.#apply(readFrame(frame)));
  }

  /** Accepts one line of text. */
  receiveLine(line: string): TimbalChange {
    let frame: unknown;
    try {
      frame = parseJson(line);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      return this.#report({ kind: "ignored", why: "it is not JSON" });
    }
    return this.receive(frame);
  }

  /** A stream's messages in order (default: the only stream, if not multiplexed). Not updated by later changes. */
  messages(stream?: string): readonly TimbalMessage[] {
    return this.#streams.get(stream)?.messages ?? [];
  }

  /** The stream names in lexical order; one undefined name if the connection is not multiplexed. */
  streams(): (string | undefined)[] {
    return [...this.#streams.keys()].sort();
  }

  /** How many frames were ignored, by reason. */
  get ignored(): ReadonlyMap<string, number> {
    return this.#ignored;
  }

  #report(change: TimbalChange): TimbalChange {
    if (change.kind === "ignored") {
      this.#ignored.set(change.why, (this.#ignored.get(change.why) ?? 0) + 1);
    }
    this.#onChange?.(change);
    return change;
  }

  #apply(frame: TimbalFrame): TimbalChange {
    if (frame.kind === "ignored") return frame;
    if (frame.kind === "error") {
      return { kind: "error", stream: frame.s, code: frame.code, message: frame.message };
    }
    const multiplexed = frame.s !== undefined;
    this.#multiplexed ??= multiplexed;
    if (multiplexed === this.#multiplexed) return this.#change(frame);
    return ignored(
      multiplexed
        ? "s is given, but the connection is not multiplexed"
        : "s is missing on a multiplexed connection",
    );
  }

  #change(frame: MessageFrame): TimbalChange {
    const { s: stream, i } = frame;
    const transcript = this.#streams.get(stream);
    const known = transcript?.get(i);
    switch (frame.kind) {
      case "start":
      case "set":
        return this.#put(frame, transcript ?? this.#open(stream));
      case "append":
        if (known === undefined) return ignored("it appends to a message that was not started");
        if (known.frame !== undefined) return ignored("it appends to a message that is complete");
        known.append(frame.text);
        return { kind: "appended", stream, message: known, text: frame.text };
      case "delete": {
        const index = transcript?.remove(i);
        if (known === undefined || index === undefined)
          return ignored("it deletes a message that does not exist");
        return { kind: "removed", stream, message: known, index };
      }
    }
  }

  #put(frame: Extract<MessageFrame, { kind: "start" | "set" }>, transcript: Transcript): TimbalChange {
    const { s: stream, i } = frame;
    const known = transcript.get(i);
    const message = known ?? transcript.add(i);
    if (frame.kind === "start") message.start(frame.meta);
    else message.set(frame.value, frame.frame);
    return {
      kind: frame.kind === "start" ? "started" : "completed",
      stream,
      message,
      index: transcript.indexOf(i),
      isNew: known === undefined,
    };
  }

  #open(stream: string | undefined): Transcript {
    const transcript = new Transcript();
    this.#streams.set(stream, transcript);
    return transcript;
  }
}

function ignored(why: string): TimbalChange {
  return { kind: "ignored", why };
}
