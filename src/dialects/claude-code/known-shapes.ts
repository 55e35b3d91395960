import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type", "subtype", "role"],
  enums: ["stop_reason", "operation", "trigger", "level"],
  free: [
    "input",
    "toolUseResult",
    "modelUsage",
    "trackedFileBackups",
    "input_schema",
    "schema",
    "mcpMeta",
    "headers",
    "structured_output",
    "dragoman",
    "<result>.result",
    "<attachment>.context",
  ],
  objects: `
<agent-name>: agentName, sessionId
<agent-setting>: sessionId
<ai-title>: aiTitle, sessionId
<api-request-blob>: hash, message object, omitted boolean, sessionId
<api-request-blob>.message<user>: content
<api-request-shape>: omitted boolean, sessionId, shapeHash
<api-request>: agentId, base, cacheControl object[], id, keep number, params object, querySource,
  requestDigest, sessionId, shapeHash, tail string[], timestamp, version
<api-request>.cacheControl[]: path number[]|string[], value object
<api-request>.cacheControl[].value<ephemeral>:
<api-request>.params: betas string[], context_management object, max_tokens number, model, thinking object
<api-request>.params.context_management: edits object[]
<api-request>.params.context_management.edits[]<clear_thinking_20251015>: keep
<api-request>.params.thinking<enabled>: budget_tokens number, display
<assistant>: agentId, apiBlockIndex number, apiErrorStatus number, attributionAgent, attributionMcpServer,
  attributionMcpTool, attributionPlugin, attributionSkill, cwd, effort, entrypoint, error null|string,
  errorDetails object, gitBranch, isAbortedMidStream boolean, isApiErrorMessage boolean, isMeta null,
  isSidechain boolean, madeBy, message object, parentUuid null|string, perTurnEffort null,
  promptCacheRequested, requestId, requestRef, requestedModel, sessionId, sessionKind, session_id, slug,
  supersedesUuids string[], teamName, thinkingDisplay, thinkingDurationMs number, timestamp,
  toolInputStreamMs number, userType, uuid, version
<assistant>.errorDetails: code
<assistant>.message<assistant>: content object[], id, model, stop_reason "end_turn", usage object
<assistant>.message<assistant>.content[]<text>: text
<assistant>.message<assistant>.content[]<thinking>: thinking
<assistant>.message<assistant>.content[]<tool_use>: id, input any, name
<assistant>.message<assistant>.usage: input_tokens number, output_tokens number
<assistant>.message<message/assistant>: container null, content object[], context_management null|object,
  diagnostics null|object, id, model, stop_details null|object,
  stop_reason "end_turn"|"max_tokens"|"model_context_window_exceeded"|"pause_turn"|"refusal"|"stop_sequence"|"tool_use"|null|string,
  stop_sequence null|string, usage object
<assistant>.message<message/assistant>.content[]<fallback>: from object, to object
<assistant>.message<message/assistant>.content[]<fallback>.from: model
<assistant>.message<message/assistant>.content[]<fallback>.to: model
<assistant>.message<message/assistant>.content[]<redacted_thinking>: data
<assistant>.message<message/assistant>.content[]<server_tool_use>: id, input any, name
<assistant>.message<message/assistant>.content[]<text>: citations null, text
<assistant>.message<message/assistant>.content[]<thinking>: signature, thinking
<assistant>.message<message/assistant>.content[]<tool_use>: caller object, id, input any, name
<assistant>.message<message/assistant>.content[]<tool_use>.caller<assistant>:
<assistant>.message<message/assistant>.content[]<tool_use>.caller<direct>:
<assistant>.message<message/assistant>.context_management: applied_edits []
<assistant>.message<message/assistant>.diagnostics: cache_miss_reason object
<assistant>.message<message/assistant>.diagnostics.cache_miss_reason<none>: cache_missed_input_tokens number
<assistant>.message<message/assistant>.stop_details<end_turn>:
<assistant>.message<message/assistant>.stop_details<refusal>: category, explanation,
  fallback_has_prefill_claim boolean, recommended_model null
<assistant>.message<message/assistant>.usage: cache_creation object, cache_creation_input_tokens number,
  cache_read_input_tokens number, fallback_credit null, inference_geo null|string, input_tokens number,
  iterations []|null|object[], output_tokens number, output_tokens_details object,
  server_tool_use null|object, service_tier null|string, speed null|string
<assistant>.message<message/assistant>.usage.cache_creation: ephemeral_1h_input_tokens number,
  ephemeral_5m_input_tokens number
<assistant>.message<message/assistant>.usage.iterations[]<fallback_message>: cache_creation object,
  cache_creation_input_tokens number, cache_read_input_tokens number, input_tokens number, model,
  output_tokens number
<assistant>.message<message/assistant>.usage.iterations[]<fallback_message>.cache_creation: ephemeral_1h_input_tokens number,
  ephemeral_5m_input_tokens number
<assistant>.message<message/assistant>.usage.iterations[]<iteration>: cache_creation object,
  cache_creation_input_tokens number, cache_read_input_tokens number, input_tokens number,
  output_tokens number
<assistant>.message<message/assistant>.usage.iterations[]<iteration>.cache_creation: ephemeral_1h_input_tokens number,
  ephemeral_5m_input_tokens number
<assistant>.message<message/assistant>.usage.iterations[]<message>: cache_creation object,
  cache_creation_input_tokens number, cache_read_input_tokens number, input_tokens number, model,
  output_tokens number
<assistant>.message<message/assistant>.usage.iterations[]<message>.cache_creation: ephemeral_1h_input_tokens number,
  ephemeral_5m_input_tokens number
<assistant>.message<message/assistant>.usage.output_tokens_details: thinking_tokens number
<assistant>.message<message/assistant>.usage.server_tool_use: web_fetch_requests number,
  web_search_requests number
<atis-latch>: atis, sessionId
<attachment>: agentId, attachment object, cwd, entrypoint, gitBranch, isSidechain boolean,
  parentUuid null|string, rendered []|object[], renderedBesideToolResult boolean, renderedRole, sessionId,
  sessionKind, session_id, slug, timestamp, userType, uuid, version
<attachment>.attachment<agent_listing_delta>: addedLines []|string[], addedTypes []|string[],
  builtInPluginTypes [], builtInTypes string[], isInitial boolean, removedTypes [],
  showConcurrencyNote boolean
<attachment>.attachment<auto_mode>: autoModeConsentFlow boolean, bashFirst boolean, bypass boolean,
  steerOnly boolean
<attachment>.attachment<batching_reminder_sent>: model, text
<attachment>.attachment<budget_usd>: remaining number, total number, used number
<attachment>.attachment<command_permissions>: allowedTools []
<attachment>.attachment<compact_file_reference>: displayPath, filename
<attachment>.attachment<date>: date
<attachment>.attachment<date_change>: newDate
<attachment>.attachment<deferred_tools_delta>: addedLines []|string[], addedNames []|string[],
  failedMcpServers [], needsAuthMcpServers [], pendingMcpServers [], readdedNames [], removedNames [],
  wireHiddenNames []
<attachment>.attachment<dragoman>:
<attachment>.attachment<dynamic_skill>: displayPath, skillDir, skillNames string[]
<attachment>.attachment<edited_text_file>: filename, snippet
<attachment>.attachment<environment>: snapshot object
<attachment>.attachment<environment>.snapshot: additionalWorkingDirectories [], isGitRepo boolean,
  isWorktree boolean, osVersion, platform, shell, workingDirectory
<attachment>.attachment<file>: content object|string, displayPath, filename
<attachment>.attachment<file>.content<text>: file object
<attachment>.attachment<file>.content<text>.file: content, filePath, numLines number, startLine number,
  totalLines number
<attachment>.attachment<hook_additional_context>: content, hookEvent, hookName, toolUseID
<attachment>.attachment<hook_blocking_error>: blockingError object, hookEvent, hookName, toolUseID
<attachment>.attachment<hook_blocking_error>.blockingError: blockingError, command
<attachment>.attachment<hook_non_blocking_error>: command, durationMs number, exitCode number, hookEvent,
  hookName, stderr, stdout, toolUseID
<attachment>.attachment<hook_success>: command, content, durationMs number, exitCode number, hookEvent,
  hookName, stderr, stdout, toolUseID
<attachment>.attachment<invoked_skills>: skills object[]
<attachment>.attachment<invoked_skills>.skills[]: content, name, path
<attachment>.attachment<mcp_instructions_delta>: addedBlocks [], addedNames [], removedNames []
<attachment>.attachment<model>: identity object, text
<attachment>.attachment<model>.identity: knowledgeCutoff, marketingName, modelId
<attachment>.attachment<nested_memory>: content object, displayPath, path
<attachment>.attachment<nested_memory>.content<memory>: content, contentDiffersFromDisk boolean, path
<attachment>.attachment<plan_mode>: isSubAgent boolean, planExists boolean, planFilePath, reminderType
<attachment>.attachment<plan_mode_exit>: planExists boolean, planFilePath
<attachment>.attachment<prompt_snapshot>: cliPrefix, contextRendering, echoWireToolInputs boolean,
  reminderFold boolean, systemPrompt string[], tools object[]
<attachment>.attachment<prompt_snapshot>.tools[]: description, input_schema any, name, schema any
<attachment>.attachment<queued_command>: commandMode, isMeta boolean, origin object, prompt object[]|string,
  source_uuid, timestamp
<attachment>.attachment<queued_command>.origin: from, kind, senderTaskId
<attachment>.attachment<queued_command>.prompt[]<image>: source object
<attachment>.attachment<queued_command>.prompt[]<image>.source<base64>: data, media_type
<attachment>.attachment<queued_command>.prompt[]<text>: text
<attachment>.attachment<read_truncation_notice>: banner, toolUseID
<attachment>.attachment<remote_session_change>: commit, managedCommit boolean, managedPr boolean, pr,
  sendUserFileHint boolean, url null
<attachment>.attachment<session_context>: context object
<attachment>.attachment<session_context>.context: gitStatus
<attachment>.attachment<silent_turn_reminder>: text
<attachment>.attachment<skill_listing>: content, digests string[], isInitial boolean, names []|string[],
  skillCount number
<attachment>.attachment<structured_output>:
<attachment>.attachment<task_reminder>: content []|object[], itemCount number
<attachment>.attachment<task_reminder>.content[]: activeForm, blockedBy [], blocks [], description, id, owner,
  status, subject
<attachment>.attachment<task_status>: deltaSummary null, description, outputFilePath, status, taskId, taskType
<attachment>.attachment<todo_reminder>: content []|object[], itemCount number
<attachment>.attachment<todo_reminder>.content[]: activeForm, content, status
<attachment>.attachment<total_tokens_reminder>: text
<attachment>.attachment<ultra_effort_enter>: reminderType
<attachment>.attachment<ultra_effort_exit>:
<attachment>.rendered[]: content object[]|string
<attachment>.rendered[].content[]<text>: text
<bridge-session>: bridgeSessionId, lastSequenceNum number, ownerAccountUuid, ownerOrganizationUuid, sessionId
<cost-state>: hasUnknownModelCost boolean, modelUsage any, sessionId, startTime number,
  totalAPIDuration number, totalAPIDurationWithoutRetries number, totalCostUSD number, totalDuration number,
  totalLinesAdded number, totalLinesRemoved number, totalToolDuration number
<custom-title>: customTitle, sessionId
<file-history-snapshot>: isSnapshotUpdate boolean, messageId, snapshot object
<file-history-snapshot>.snapshot: messageId, timestamp, trackedFileBackups any
<frame-link>: frameUrl, path, sessionId, timestamp, title
<last-prompt>: lastPrompt, leafUuid, sessionId
<mode>: mode, sessionId
<permission-mode>: permissionMode, sessionId
<pr-link>: prNumber number, prRepository, prUrl, sessionId, timestamp
<progress>: agentId, cwd, data object, entrypoint, gitBranch, isSidechain boolean, parentToolUseID,
  parentUuid null|string, sessionId, slug, timestamp, toolUseID, userType, uuid, version
<progress>.data<bash_progress>: elapsedTimeSeconds number, fullOutput, output, totalLines number
<progress>.data<hook_progress>: command, hookEvent, hookName
<queue-operation>: content, operation "dequeue"|"enqueue"|"popAll"|"remove", sessionId, timestamp
<relocated>: relocatedCwd, sessionId
<result>: agentId, key, result any
<started>: agentId, key
<summary>: leafUuid, summary
<system/api_error>: agentId, content, cwd, entrypoint, error object, gitBranch, isMeta boolean,
  isSidechain boolean, level "error"|"info"|"suggestion"|"warning"|string, maxRetries number,
  parentUuid null|string, retryAttempt number, retryInMs number, sessionId, slug, source, timestamp, userType,
  uuid, version
<system/api_error>.error: connection null|object, formatted, headers any, isNetworkDown boolean, message,
  rateLimits null, requestID, requestId, status number, type null
<system/api_error>.error.connection: code, isSSLError boolean, message
<system/api_error>.error<authentication_error>: error object, headers any, requestID, status number
<system/api_error>.error<authentication_error>.error<error>: error object, request_id
<system/api_error>.error<authentication_error>.error<error>.error<authentication_error>: message
<system/api_refusal>: apiRefusalCategory, apiRefusalExplanation, content, cwd, direction, gitBranch,
  refusedUserMessageUuid, requestId, retractedMessageUuids string[], sessionId, session_id, source, timestamp,
  uuid, version
<system/away_summary>: agentId, content, cwd, entrypoint, gitBranch, isMeta boolean, isSidechain boolean,
  level "error"|"info"|"suggestion"|"warning", parentUuid null|string, sessionId, slug, timestamp, userType,
  uuid, version
<system/bridge_status>: agentId, content, cwd, entrypoint, gitBranch, isMeta boolean, isSidechain boolean,
  level "error"|"info"|"suggestion"|"warning", parentUuid null|string, sessionId, slug, timestamp, userType,
  uuid, version
<system/compact_boundary>: agentId, compactMetadata object, content, cwd, entrypoint, fallbackModel,
  gitBranch, isMeta boolean, isSidechain boolean, level "error"|"info"|"suggestion"|"warning"|string,
  logicalParentUuid null|string, originalModel, parentUuid null|string, sessionId, slug, timestamp,
  trigger "auto", userType, uuid, version
<system/compact_boundary>.compactMetadata: cumulativeDroppedTokens number, durationMs number,
  postTokens number, preCompactDiscoveredTools string[], preTokens number, preservedMessages object,
  preservedSegment object, trigger "auto"|"manual"|string
<system/compact_boundary>.compactMetadata.preservedMessages: allUuids string[], anchorUuid, uuids string[]
<system/compact_boundary>.compactMetadata.preservedSegment: anchorUuid, headUuid, tailUuid
<system/error>: cwd, entrypoint, error object, gitBranch, isSidechain boolean, parentUuid, sessionId,
  timestamp, userType, uuid, version
<system/error>.error: connection, formatted, isNetworkDown boolean, message, rateLimits object, status number
<system/error>.error.rateLimits: retryAfterSeconds number
<system/informational>: agentId, content, cwd, dragoman any, entrypoint, gitBranch, isMeta boolean,
  isSidechain boolean, level "error"|"info"|"suggestion"|"warning", parentUuid null|string, sessionId, slug,
  timestamp, userType, uuid, version
<system/local_command>: agentId, content, cwd, entrypoint, gitBranch, isMeta boolean, isSidechain boolean,
  level "error"|"info"|"suggestion"|"warning", parentUuid null|string, sessionId, slug, timestamp, userType,
  uuid, version
<system/model_refusal_fallback>: apiRefusalCategory, apiRefusalExplanation null, content, cwd, direction,
  entrypoint, fallbackModel, gitBranch, isMeta boolean, isSidechain boolean, level, originalModel, parentUuid,
  refusedUserMessageUuid, requestId, retractedMessageUuids string[], scope, sessionId, timestamp, trigger,
  userType, uuid, version
<system/session_start>: cause null, content null, cwd, durationMs number, entrypoint, error null, gitBranch,
  isMeta boolean, isSidechain boolean, level "info", maxRetries number, messageCount number, parentUuid null,
  retryAttempt number, retryInMs number, sessionId, slug, timestamp, userType, uuid, version
<system/stop_hook_summary>: agentId, content, cwd, entrypoint, gitBranch, hasOutput boolean,
  hookAdditionalContext [], hookCount number, hookErrors [], hookInfos object[], isMeta boolean,
  isSidechain boolean, level "error"|"info"|"suggestion"|"warning", parentUuid null|string,
  preventedContinuation boolean, sessionId, slug, stopReason, timestamp, toolUseID, userType, uuid, version
<system/stop_hook_summary>.hookInfos[]: command, durationMs number
<system/turn_duration>: agentId, content, cwd, durationMs number, entrypoint, gitBranch, isMeta boolean,
  isSidechain boolean, level "error"|"info"|"suggestion"|"warning", messageCount number,
  parentUuid null|string, pendingBackgroundAgentCount number, sessionId, sessionKind, slug, timestamp,
  userType, uuid, version
<tag>: sessionId, tag
<tools-used>: sessionId, tools string[]
<user>: agentId, classifierMetaLines [], cwd, entrypoint, gitBranch, imagePasteIds [],
  interruptedByShutdown boolean, interruptedMessageId, isCompactSummary boolean, isMeta boolean,
  isSidechain boolean, isVisibleInTranscriptOnly boolean, mcpMeta any, message object, origin object,
  parentUuid null|string, permissionDecision object, permissionMode, promptId, promptSource,
  queueSkipAttachments boolean, sandboxed boolean, sessionId, sessionKind, session_id, slug,
  sourceToolAssistantUUID, sourceToolUseID, teamName, thinkingMetadata object, timestamp, todos [],
  toolDenialKind, toolEndsTurn boolean, toolUseResult any, turnCompanion boolean, turnOrigin,
  turnPosition object, userType, uuid, version
<user>.message<user>: content object[]|string
<user>.message<user>.content[]<document>: source object, title
<user>.message<user>.content[]<document>.source<base64>: data, media_type
<user>.message<user>.content[]<document>.source<file>: file_id
<user>.message<user>.content[]<document>.source<text>: data, media_type
<user>.message<user>.content[]<document>.source<url>: url
<user>.message<user>.content[]<image>: source object
<user>.message<user>.content[]<image>.source<base64>: data, media_type
<user>.message<user>.content[]<image>.source<file>: file_id
<user>.message<user>.content[]<image>.source<url>: url
<user>.message<user>.content[]<text>: text
<user>.message<user>.content[]<tool_result>: content object[]|string, is_error boolean, text, tool_use_id
<user>.message<user>.content[]<tool_result>.content[]<document>: source object, title
<user>.message<user>.content[]<tool_result>.content[]<document>.source<base64>: data, media_type
<user>.message<user>.content[]<tool_result>.content[]<document>.source<file>: file_id
<user>.message<user>.content[]<tool_result>.content[]<document>.source<text>: data, media_type
<user>.message<user>.content[]<tool_result>.content[]<document>.source<url>: url
<user>.message<user>.content[]<tool_result>.content[]<image>: source object
<user>.message<user>.content[]<tool_result>.content[]<image>.source<base64>: data, media_type
<user>.message<user>.content[]<tool_result>.content[]<image>.source<file>: file_id
<user>.message<user>.content[]<tool_result>.content[]<image>.source<url>: url
<user>.message<user>.content[]<tool_result>.content[]<text>: source, text, tool_name
<user>.message<user>.content[]<tool_result>.content[]<tool_reference>: tool_name
<user>.origin: from, kind, producer, runId, senderTaskId
<user>.permissionDecision: decision, reasonType, source
<user>.thinkingMetadata: disabled boolean, kind, level "high", triggers []
<user>.turnPosition: promptIndex number, turnIndex number
<worktree-state>: sessionId, worktreeSession object
<worktree-state>.worktreeSession: enteredExisting boolean, originalBranch, originalCwd, originalHeadCommit,
  preEnterOriginalCwd, sessionId, worktreeBranch, worktreeName, worktreePath
`,
};
