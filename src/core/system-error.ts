export interface SystemError extends Error {
  /** Such as `ENOENT`. */
  code: string;
}

/** Whether an error comes from the operating system, such as a missing file. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}
