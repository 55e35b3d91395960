import { within } from "../../core/async/deadline.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { SendError } from "../types.js";

/** Calls a Bot API method; rejects on an error or after the time limit. */
export type Call = (method: string, parameters: object, patienceMs?: number) => Promise<unknown>;

export interface Client {
  call: Call;
  /** Wraps a file as a parameter for `call`. */
  upload(bytes: Uint8Array, name?: string): object;
}

export interface ClientOptions {
  token: string;
  apiRoot: string;
  fetch: typeof fetch;
  /** Aborts all calls. */
  signal: AbortSignal;
}

/** The parts of grammY in use. Its own types describe the Node build, with a different `fetch` and `AbortSignal`. */
interface Grammy {
  Api: new (
    token: string,
    options: { apiRoot: string; fetch: typeof fetch },
  ) => {
    raw: Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;
  };
  InputFile: new (bytes: Uint8Array, name?: string) => object;
}

function isGrammy(module: unknown): module is Grammy {
  return isObject(module) && typeof module["Api"] === "function" && typeof module["InputFile"] === "function";
}

const CALL_MS = 120_000;

export async function client({ token, apiRoot, fetch, signal }: ClientOptions): Promise<Client> {
  const { Api, InputFile } = await load();
  const { raw } = new Api(token, { apiRoot, fetch });
  return {
    async call(method, parameters, patienceMs = CALL_MS) {
      if (signal.aborted) throw new SendError("later", "the channel is closed");
      return await within(signal, patienceMs, async (ends) =>
        // `getMe` is the only method in use without parameters, and grammY accepts none for it.
        raw[method]?.(...(method === "getMe" ? [ends] : [parameters, ends])),
      );
    },
    // grammY writes the name into a header unescaped.
    upload: (bytes, name) => new InputFile(bytes, name?.replace(/[\p{Cc}";\\]/gu, "_")),
  };
}

/** grammY's web build: it uses the given `fetch` unchanged and loads in a tenth of the time. */
async function load(): Promise<Grammy> {
  let module: unknown;
  try {
    module = await import("grammy/web");
  } catch (cause) {
    throw noClient("is not installed", cause);
  }
  if (!isGrammy(module)) throw noClient("does not export what is expected (wrong version?)");
  return module;
}

function noClient(why: string, cause?: unknown): DragomanError {
  return new DragomanError("channel/no-client", `Telegram needs the package grammy, which ${why}`, {
    hint: "npm install grammy",
    cause,
  });
}
