import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type", "subtype", "role"],
  enums: ["status", "finishReason"],
  free: ["args", "response", "resultDisplay", "function_args", "dragoman", "<system/dragoman>.systemPayload"],
  objects: `
<assistant>: agentId, agentName, contextWindowSize number, cwd, forkedFrom object, gitBranch,
  isSidechain boolean, message object, model, parentUuid null|string, sessionId, timestamp,
  usageMetadata object, uuid, version
<assistant>.forkedFrom: messageUuid, sessionId
<assistant>.message<model>: parts []|object[]
<assistant>.message<model>.parts[]: functionCall object, text, thought boolean, thoughtSignature
<assistant>.message<model>.parts[].functionCall: args any, id, name
<assistant>.usageMetadata: cachedContentTokenCount number, candidatesTokenCount number,
  promptTokenCount number, thoughtsTokenCount number, totalTokenCount number
<system/chat_compression>: agentId, agentName, cwd, forkedFrom object, gitBranch, isSidechain boolean,
  parentUuid null|string, sessionId, systemPayload object, timestamp, uuid, version
<system/chat_compression>.forkedFrom: messageUuid, sessionId
<system/chat_compression>.systemPayload: compressedHistory []|object[], dragoman any, info object
<system/chat_compression>.systemPayload.compressedHistory[]<model>: parts object[]
<system/chat_compression>.systemPayload.compressedHistory[]<model>.parts[]: functionCall object, text
<system/chat_compression>.systemPayload.compressedHistory[]<model>.parts[].functionCall: args any, id, name
<system/chat_compression>.systemPayload.compressedHistory[]<tool>:
<system/chat_compression>.systemPayload.compressedHistory[]<user>: parts object[]
<system/chat_compression>.systemPayload.compressedHistory[]<user>.parts[]: functionResponse object, text
<system/chat_compression>.systemPayload.compressedHistory[]<user>.parts[].functionResponse: id, name,
  response any
<system/chat_compression>.systemPayload.info: compressionStatus number, newTokenCount number,
  originalTokenCount number
<system/custom_title>: agentId, agentName, cwd, forkedFrom object, gitBranch, isSidechain boolean,
  parentUuid null|string, sessionId, systemPayload object, timestamp, uuid, version
<system/custom_title>.forkedFrom: messageUuid, sessionId
<system/custom_title>.systemPayload: customTitle, titleSource
<system/dragoman>: cwd, more number, parentUuid null|string, sessionId, systemPayload any, timestamp, uuid,
  version
<system/rewind>: cwd, parentUuid, sessionId, systemPayload object, timestamp, uuid, version
<system/rewind>.systemPayload: targetUuid, truncatedCount number
<system/session_artifact_snapshot>: cwd, parentUuid, sessionId, systemPayload object, timestamp, uuid, version
<system/session_artifact_snapshot>.systemPayload: summary
<system/slash_command>: cwd, gitBranch, parentUuid null|string, sessionId, systemPayload object, timestamp,
  uuid, version
<system/slash_command>.systemPayload: outputHistoryItems object[], phase, rawCommand
<system/slash_command>.systemPayload.outputHistoryItems[]<about>: systemInfo object
<system/slash_command>.systemPayload.outputHistoryItems[]<about>.systemInfo: cliVersion, gitCommit, ideClient,
  memoryUsage, modelVersion, nodeVersion, npmVersion, osArch, osPlatform, osRelease, sandboxEnv,
  selectedAuthType, sessionId
<system/ui_telemetry>: cwd, gitBranch, message object, parentUuid, sessionId, systemPayload object, timestamp,
  uuid, version
<system/ui_telemetry>.message<system>: parts []
<system/ui_telemetry>.systemPayload: uiEvent object
<system/ui_telemetry>.systemPayload.uiEvent: auth_type, cached_content_token_count number,
  content_length number, decision, duration_ms number, error, error_message, error_type, event.name,
  event.timestamp, function_args any, function_name, input_token_count number, model,
  output_token_count number, prompt_id, response_id, status, status_code number, success boolean,
  thoughts_token_count number, tool_token_count number, tool_type, total_token_count number
<system>: cwd, parentUuid, sessionId, timestamp, uuid, version
<tool_result>: agentId, agentName, cwd, forkedFrom object, gitBranch, isSidechain boolean, message object,
  parentUuid null|string, sessionId, timestamp, toolCallResult object, uuid, version
<tool_result>.forkedFrom: messageUuid, sessionId
<tool_result>.message<user>: parts object[]
<tool_result>.message<user>.parts[]: fileData object, functionResponse object, inlineData object, text
<tool_result>.message<user>.parts[].fileData: displayName, fileUri, mimeType
<tool_result>.message<user>.parts[].functionResponse: id, name, parts object[], response any
<tool_result>.message<user>.parts[].functionResponse.parts[]: inlineData object
<tool_result>.message<user>.parts[].functionResponse.parts[].inlineData: data, mimeType
<tool_result>.message<user>.parts[].inlineData: data, displayName, mimeType
<tool_result>.toolCallResult: callId, error object, resultDisplay any, status "cancelled"|"error"|"success"
<tool_result>.toolCallResult.error: message
<user/mid_turn_user_message>: cwd, message object, parentUuid, sessionId, systemPayload object, timestamp,
  uuid, version
<user/mid_turn_user_message>.message<user>: parts object[]
<user/mid_turn_user_message>.message<user>.parts[]: text
<user/mid_turn_user_message>.systemPayload: displayText
<user/notification>: cwd, message object, parentUuid, sessionId, systemPayload object, timestamp, uuid,
  version
<user/notification>.message<user>: parts object[]
<user/notification>.message<user>.parts[]: text
<user/notification>.systemPayload: displayText
<user/realtime_message>: cwd, message object, parentUuid, sessionId, timestamp, uuid, version
<user/realtime_message>.message<user>: parts object[]
<user/realtime_message>.message<user>.parts[]: text
<user>: agentId, agentName, cwd, forkedFrom object, gitBranch, isSidechain boolean, message object,
  parentUuid null|string, sessionId, systemPayload object, timestamp, uuid, version
<user>.forkedFrom: messageUuid, sessionId
<user>.message<user>: parts object[]
<user>.message<user>.parts[]: fileData object, inlineData object, text
<user>.message<user>.parts[].fileData: displayName, fileUri, mimeType
<user>.message<user>.parts[].inlineData: data, displayName, mimeType
<user>.systemPayload: displayText, hookContext
`,
};
