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
  RpcPermissionRequest,
  RpcQuestion,
  RpcRequest,
  RpcResponse,
  RpcSessionEvent,
  RpcSessionInfo,
  RpcStored,
} from "../protocol/schema.js";
export { type ClientOptions, type ClientWorld, connectDragoman, type DragomanClient } from "./client.js";
export type { SessionsEvent } from "./session-watch.js";
export type { SocketConstructor, SocketLike } from "./socket.js";
export type { WatchEvent, WatchOptions } from "./watch.js";
