import type { AgentEvent } from "../../core/types.js";
import { Activity } from "./status.js";

const FRAME_MS = 100;

export interface WorkStatus {
  activity: string;
  ms: number;
  /** Counts the frames of the animation. */
  frame: number;
}

interface Operation {
  activity: Activity;
  since: number;
  stop: (() => void) | undefined;
}

/** The operation in progress, such as a run. Calls `onFrame` while there is one, for the animation. */
export class Work {
  readonly #onFrame: () => void;
  #operation: Operation | undefined;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onFrame: () => void) {
    this.#onFrame = onFrame;
  }

  get isOpen(): boolean {
    return this.#operation !== undefined;
  }

  get status(): WorkStatus | undefined {
    if (this.#operation === undefined) return undefined;
    const { activity, since } = this.#operation;
    return { activity: activity.text, ms: Date.now() - since, frame: this.#frame };
  }

  /** An operation that follows another one without a pause keeps its clock. */
  start(activity: string, stop?: () => void): void {
    this.#operation = { activity: new Activity(activity), since: this.#operation?.since ?? Date.now(), stop };
    this.#timer ??= setInterval(() => {
      this.#frame++;
      this.#onFrame();
    }, FRAME_MS);
  }

  observe(event: AgentEvent): void {
    this.#operation?.activity.observe(event);
  }

  /** Stops the operation as it asked to be stopped, or else with `abort`. */
  stop(abort: () => void): void {
    (this.#operation?.stop ?? abort)();
  }

  end(): void {
    this.#operation = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#onFrame();
  }

  /** Stops the animation for good. */
  close(): void {
    clearInterval(this.#timer);
  }

  async interruptible<T>(activity: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.start(activity, () => controller.abort());
    try {
      return await work(controller.signal);
    } finally {
      this.end();
    }
  }
}
