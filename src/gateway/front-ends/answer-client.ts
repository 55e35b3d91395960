import { EventQueue } from "../../core/async/event-queue.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import { RefusedError } from "../types.js";
import type { Answer } from "./answer.js";
import type { AnswerEnd, Envelope } from "./chunk-writer.js";
import { framesOf } from "./event-stream.js";

export interface AnswerClientOptions<C> {
  envelope: Envelope<C>;
  /** A client with more unread data is disconnected. */
  unreadBytes: number;
  /** Whether it has answered a request, which then does not end its stream (default: none). */
  hasAnswered?(request: PermissionRequest): boolean;
  onLeave(): void;
}

/** One client of an answer: the frames it has not read yet. It always ends with an end marker, or with an error. */
export class AnswerClient<C> {
  readonly frames: EventQueue<Uint8Array>;
  readonly #envelope: Envelope<C>;
  readonly #hasAnswered: (request: PermissionRequest) => boolean;
  #answer: Answer<C> | undefined;
  #hasBegun = false;
  #ended = false;

  constructor({ envelope, unreadBytes, hasAnswered = () => false, onLeave }: AnswerClientOptions<C>) {
    this.#envelope = envelope;
    this.#hasAnswered = hasAnswered;
    this.frames = new EventQueue({
      onLeave,
      limit: { most: unreadBytes, sizeOf: ({ byteLength }) => byteLength, error: tooSlow },
    });
    this.#push(envelope.open());
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the answer is in progress or has been sent. */
  get attached(): boolean {
    return this.#answer !== undefined;
  }

  /** Sends the answer so far, from a chunk on. */
  begin(answer: Answer<C>, from: number): void {
    this.#answer = answer;
    if (answer.chunks.length > 0) this.accept(framesOf(answer.chunks.slice(from)));
  }

  accept(frames: Uint8Array): void {
    if (this.#ended) return;
    this.#beginMessage();
    if (frames.byteLength > 0) this.frames.push(frames);
  }

  /** Ends the stream until requests are answered. False if the client has answered all of them. */
  pause(requests: readonly PermissionRequest[]): boolean {
    const open = requests.filter((request) => !this.#hasAnswered(request));
    if (open.length === 0) return false;
    this.#close(this.#envelope.pause(open, this.#answer?.turn));
    return true;
  }

  /** Ends the stream as the answer ended. */
  end(): void {
    const { end } = this.#answer ?? {};
    if (end !== undefined) this.#finish(end);
  }

  /** Ends the stream with an error. */
  fail(message: string): void {
    const { fail } = this.#envelope;
    if (fail === undefined) this.#finish({ outcome: "error", message });
    else this.#close(fail(message));
  }

  #finish(end: AnswerEnd): void {
    if (this.#ended) return;
    if (this.#answer?.first !== undefined) this.#beginMessage();
    this.#close(this.#envelope.close(end, this.#answer?.turn));
  }

  #close(chunks: readonly C[]): void {
    if (this.#ended) return;
    this.#push(chunks);
    this.#ended = true;
    const { terminator } = this.#envelope;
    if (terminator !== "") this.frames.push(Buffer.from(terminator));
    this.frames.end();
  }

  #beginMessage(): void {
    const first = this.#answer?.first;
    if (this.#hasBegun || first === undefined) return;
    this.#hasBegun = true;
    this.#push(this.#envelope.begin(first));
  }

  #push(chunks: readonly C[]): void {
    if (chunks.length > 0 && !this.#ended) this.frames.push(framesOf(chunks));
  }
}

function tooSlow(): RefusedError {
  const message = "the client does not read fast enough; the answer is stored in the session";
  return new RefusedError({ status: 499, reason: "server_error", message });
}
