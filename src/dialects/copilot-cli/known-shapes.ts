import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type"],
  enums: [],
  free: ["arguments", "modelMetrics", "structuredContent", "toolTelemetry"],
  objects: `
<abort>: data object, id, parentId, timestamp
<abort>.data: reason
<assistant.message>: agentId, data object, id, parentId, timestamp
<assistant.message>.data: content, interactionId, messageId, model, outputTokens number, phase,
  reasoningOpaque, reasoningText, toolRequests []|object[]
<assistant.message>.data.toolRequests[]: name, toolCallId
<assistant.message>.data.toolRequests[]<custom>: arguments any, name, toolCallId
<assistant.message>.data.toolRequests[]<function>: arguments any, intentionSummary, name, toolCallId
<assistant.turn_end>: data object, id, parentId, timestamp
<assistant.turn_end>.data: interactionId, turnId
<assistant.turn_start>: data object, id, parentId, timestamp
<assistant.turn_start>.data: interactionId, turnId
<session.compaction_complete>: data object, id, parentId, timestamp
<session.compaction_complete>.data: checkpointNumber number, error, messagesRemoved number,
  preCompactionTokens number, success boolean, summaryContent
<session.compaction_start>: data object, id, parentId, timestamp
<session.compaction_start>.data:
<session.error>: data object, id, parentId, timestamp
<session.error>.data: errorType, message, statusCode number
<session.model_change>: data object, id, parentId, timestamp
<session.model_change>.data: newModel, previousModel
<session.shutdown>: data object, id, parentId, timestamp
<session.shutdown>.data: modelMetrics any, shutdownType
<session.start>: data object, id, parentId null|string, timestamp
<session.start>.data: alreadyInUse boolean, context object, copilotVersion, producer, reasoningEffort,
  selectedModel, sessionId, startTime, version number
<session.start>.data.context: baseCommit, branch, cwd, gitRoot, headCommit, hostType, repository
<session.title_changed>: data object, ephemeral boolean, id, parentId, timestamp
<session.title_changed>.data: title
<subagent.completed>: data object, id, parentId, timestamp
<subagent.completed>.data: agentDisplayName, agentName, toolCallId
<subagent.started>: data object, id, parentId, timestamp
<subagent.started>.data: agentDescription, agentDisplayName, agentName, toolCallId
<system.message>: data object, id, parentId, timestamp
<system.message>.data: content, metadata object, name, role
<system.message>.data.metadata: promptVersion
<tool.execution_complete>: data object, id, parentId, timestamp
<tool.execution_complete>.data: error object, parentToolCallId, result object, success boolean, toolCallId,
  toolTelemetry any
<tool.execution_complete>.data.error: code, message
<tool.execution_complete>.data.result: binaryResultsForLlm object[], content, detailedContent,
  structuredContent any
<tool.execution_complete>.data.result.binaryResultsForLlm[]<image>: byteLength number, data, description,
  mimeType, omittedReason
<tool.execution_start>: data object, id, parentId, timestamp
<tool.execution_start>.data: arguments any, toolCallId, toolName
<user.message>: data object, id, parentId, timestamp
<user.message>.data: agentMode, attachments []|object[], content, interactionId, source, transformedContent
<user.message>.data.attachments[]<blob>: data, displayName, mimeType
<user.message>.data.attachments[]<file>: displayName, path
`,
};
