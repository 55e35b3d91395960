import { a2aProtocol } from "./a2a/protocol.js";
import { agUiProtocol } from "./ag-ui/protocol.js";
import { aiSdkProtocol } from "./ai-sdk/protocol.js";
import { channelWebhooks } from "./channels/webhooks.js";
import { mcpProtocol } from "./mcp/protocol.js";
import { modelProtocols } from "./models/protocols.js";
import { openClawProtocol } from "./openclaw/protocol.js";
import { rpc } from "./rpc/protocol.js";
import type { ProtocolFactory } from "./server.js";
import { timbalProtocol } from "./timbal/protocol.js";

/** The gateway's protocols. */
export const protocols: readonly ProtocolFactory[] = [
  rpc,
  timbalProtocol,
  modelProtocols,
  channelWebhooks,
  mcpProtocol,
  aiSdkProtocol,
  agUiProtocol,
  a2aProtocol,
  openClawProtocol,
];
