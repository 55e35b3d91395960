export interface SystemError extends Error {
  /** Such as `ENOENT`. */
  code: string;
}

/** Whether an error is of the operating system, such as that a file does not exist. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}
