import { onTestFinished } from "vitest";

/**
 * The rejections that no one handles, until the test ends. Only for clients that are known to leave some: the test then
 * checks them itself.
 */
export function strayRejections(): unknown[] {
  const found: unknown[] = [];
  const listeners = process.listeners("unhandledRejection");
  const collect = (reason: unknown) => void found.push(reason);
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", collect);
  onTestFinished(() => {
    process.off("unhandledRejection", collect);
    for (const listener of listeners) process.on("unhandledRejection", listener);
  });
  return found;
}
