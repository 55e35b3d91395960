import type { Failure } from "../../core/message/failure.js";

/** What went wrong and its code, which is what people search for: `HTTP 401: … [provider/http]`. */
export function failureLine({ message, code }: Failure): string {
  return code === undefined ? message : `${message} [${code}]`;
}
