import { DragomanError, type ErrorCode } from "dragoman/core";
import { type JobName, type JobRunner, type Jobs, localJobs } from "./jobs.js";
import { createYielder, pause } from "./slices.js";

/** What a job sends to its port. A part is JSON in bytes: they are handed over, and parsing them is faster than copying the objects. */
export type FromJob<N extends JobName> =
  | { part: Uint8Array<ArrayBuffer> }
  | { result: Jobs[N]["result"] }
  | { error: PlainError };

/** An error as plain data: copying one between threads loses its class and its fields. */
export interface PlainError {
  message: string;
  code?: ErrorCode;
  at?: string;
  line?: number;
  column?: number;
  hint?: string;
}

function plainError(error: unknown): PlainError {
  if (!(error instanceof DragomanError)) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
  const { message, code, at, line, column, hint } = error;
  return {
    message,
    code,
    ...(at === undefined ? {} : { at }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function errorFrom({ message, code, ...place }: PlainError): Error {
  return code === undefined ? new Error(message) : new DragomanError(code, message, place);
}

/** Does jobs in a worker: the first message is the transcript, each other one a job with a port for its answer. */
export function serveJobs(): void {
  let jobs: JobRunner | undefined;
  addEventListener("message", ({ data, ports: [port] }) => {
    if (jobs === undefined || port === undefined) {
      jobs = localJobs(
        data,
        createYielder(pause, () => performance.now()),
      );
      return;
    }
    void answer(jobs, data, port);
  });
  postMessage("ready");
}

async function answer<N extends JobName>(
  jobs: JobRunner,
  { name, input }: { name: N; input: Jobs[N]["input"] },
  port: MessagePort,
): Promise<void> {
  const send = (message: FromJob<N>, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  const encoder = new TextEncoder();
  try {
    const result = await jobs.run(name, input, (value) => {
      const part = encoder.encode(JSON.stringify(value));
      send({ part }, [part.buffer]);
    });
    send({ result });
  } catch (error) {
    send({ error: plainError(error) });
  }
}

/** Has a worker do the jobs. Fails if the browser does not start it. */
export async function workerJobs(worker: Worker, bytes: Uint8Array): Promise<JobRunner> {
  await new Promise<void>((resolve, reject) => {
    worker.onmessage = () => resolve();
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(`the worker did not start: ${event.message}`));
    };
  });
  worker.postMessage(bytes);
  return {
    run: <N extends JobName>(
      name: N,
      input: Jobs[N]["input"],
      onPart: (part: Jobs[N]["part"]) => void = () => undefined,
    ) =>
      new Promise<Jobs[N]["result"]>((resolve, reject) => {
        const { port1, port2 } = new MessageChannel();
        const decoder = new TextDecoder();
        port1.onmessage = ({ data }: MessageEvent<FromJob<N>>) => {
          if ("part" in data) return onPart(JSON.parse(decoder.decode(data.part)));
          port1.close();
          if ("error" in data) reject(errorFrom(data.error));
          else resolve(data.result);
        };
        worker.postMessage({ name, input }, [port2]);
      }),
    close: () => worker.terminate(),
  };
}
