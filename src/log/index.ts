export { type HomeOptions, openHome } from "./files/home.js";
export type { Recovery } from "./files/torn.js";
export { agentOf, canonicalKey, type Peer, peerOf, sessionKey } from "./key.js";
export { MemoryLog } from "./memory/memory-log.js";
export { closeOpenCalls } from "./recover.js";
export type {
  Appended,
  AppendOptions,
  BadLine,
  Entry,
  Lease,
  Log,
  NewSession,
  Place,
  Position,
  ReadOptions,
  SessionFile,
  SessionLog,
} from "./types.js";
