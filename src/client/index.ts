export { type ClientOptions, connectDragoman, type DragomanClient } from "./client.js";
export type {
  MethodName,
  Params,
  Result,
  RpcAgentEvent,
  RpcChatEvent,
  RpcCursor,
  RpcEvent,
  RpcMessageEvent,
  RpcPermissionEvent,
  RpcRequest,
  RpcResponse,
} from "./schema/index.js";
export type { WatchEvent, WatchOptions } from "./watch.js";
export type { ClientWorld, SocketConstructor, SocketLike } from "./world.js";
