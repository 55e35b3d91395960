import type { Failure } from "../../core/message/failure.js";

/** `HTTP 401: … [provider/http]` */
export function failureLine({ message, code }: Failure): string {
  return code === undefined ? message : `${message} [${code}]`;
}
