import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type", "role"],
  enums: ["status", "phase"],
  free: [
    "arguments",
    "input",
    "output",
    "state",
    "inputSchema",
    "parameters",
    "final_output_json_schema",
    "changes",
    "structuredContent",
    "_meta",
    "statuses",
    "internal_chat_message_metadata_passthrough",
    "<dragoman>.payload",
  ],
  objects: `
<>: git object, id, instructions null, record_type, timestamp
<>.git: branch
<compacted>: ordinal number, payload object, timestamp
<compacted>.payload: first_window_id, message, previous_window_id, replacement_history []|object[]|string,
  window_id, window_number number
<compacted>.payload.replacement_history[]<agent_message>: author, content []|object[], id,
  internal_chat_message_metadata_passthrough any, recipient
<compacted>.payload.replacement_history[]<agent_message>.content[]<encrypted_content>: encrypted_content
<compacted>.payload.replacement_history[]<agent_message>.content[]<input_text>: text
<compacted>.payload.replacement_history[]<compaction>: encrypted_content, id,
  internal_chat_message_metadata_passthrough any, metadata object
<compacted>.payload.replacement_history[]<compaction>.metadata: turn_id
<compacted>.payload.replacement_history[]<compaction_summary>: encrypted_content
<compacted>.payload.replacement_history[]<context_compaction>: encrypted_content
<compacted>.payload.replacement_history[]<custom_tool_call>: call_id, id, input any, name, status "completed"
<compacted>.payload.replacement_history[]<custom_tool_call_output>: call_id, id, output any
<compacted>.payload.replacement_history[]<function_call>: arguments any, call_id, id, name, namespace
<compacted>.payload.replacement_history[]<function_call_output>: call_id, id, output any
<compacted>.payload.replacement_history[]<ghost_snapshot>: ghost_commit object
<compacted>.payload.replacement_history[]<ghost_snapshot>.ghost_commit: id, parent,
  preexisting_untracked_dirs [], preexisting_untracked_files []
<compacted>.payload.replacement_history[]<local_shell_call>: action object, call_id, id,
  status "completed"|"in_progress"|"incomplete"
<compacted>.payload.replacement_history[]<local_shell_call>.action<exec>: command string[], timeout_ms number
<compacted>.payload.replacement_history[]<message/assistant>: content object[], id,
  phase "commentary"|"final_answer"|string
<compacted>.payload.replacement_history[]<message/assistant>.content[]<output_text>: text
<compacted>.payload.replacement_history[]<message/developer>: content object[], id,
  internal_chat_message_metadata_passthrough any
<compacted>.payload.replacement_history[]<message/developer>.content[]<input_audio>: audio_url
<compacted>.payload.replacement_history[]<message/developer>.content[]<input_image>: detail, image_url
<compacted>.payload.replacement_history[]<message/developer>.content[]<input_text>: text
<compacted>.payload.replacement_history[]<message/user>: content object[], encrypted_content, id,
  internal_chat_message_metadata_passthrough any
<compacted>.payload.replacement_history[]<message/user>.content[]<input_audio>: audio_url
<compacted>.payload.replacement_history[]<message/user>.content[]<input_image>: detail, image_url null|string
<compacted>.payload.replacement_history[]<message/user>.content[]<input_text>: text
<compacted>.payload.replacement_history[]<reasoning>: content object[], encrypted_content, id,
  summary object[]
<compacted>.payload.replacement_history[]<reasoning>.content[]<reasoning_text>: text
<compacted>.payload.replacement_history[]<reasoning>.content[]<text>: text
<compacted>.payload.replacement_history[]<reasoning>.summary[]<summary_text>: text
<compacted>.payload.replacement_history[]<web_search_call>: action object, id, status "completed"
<compacted>.payload.replacement_history[]<web_search_call>.action<search>: query
<dragoman>: payload any, timestamp
<event_msg>: ordinal number, payload object, timestamp
<event_msg>.payload<agent_message>: memory_citation null|object, message,
  phase "commentary"|"final_answer"|"output"|null
<event_msg>.payload<agent_message>.memory_citation: entries object[], rolloutIds string[]
<event_msg>.payload<agent_message>.memory_citation.entries[]: lineEnd number, lineStart number, note, path
<event_msg>.payload<agent_reasoning>: text
<event_msg>.payload<agent_reasoning_raw_content>: text
<event_msg>.payload<collab_agent_interaction_end>: call_id, prompt, receiver_agent_nickname,
  receiver_agent_role, receiver_thread_id, sender_thread_id, status object|string
<event_msg>.payload<collab_agent_interaction_end>.status: completed
<event_msg>.payload<collab_agent_spawn_end>: call_id, model, new_agent_nickname, new_agent_role,
  new_thread_id, prompt, reasoning_effort, sender_thread_id, status
<event_msg>.payload<collab_close_end>: call_id, receiver_agent_nickname, receiver_agent_role,
  receiver_thread_id, sender_thread_id, status object
<event_msg>.payload<collab_close_end>.status: completed
<event_msg>.payload<collab_waiting_end>: agent_statuses object[], call_id, sender_thread_id, statuses any
<event_msg>.payload<collab_waiting_end>.agent_statuses[]: agent_nickname, agent_role, status object, thread_id
<event_msg>.payload<collab_waiting_end>.agent_statuses[].status: completed
<event_msg>.payload<context_compacted>:
<event_msg>.payload<dynamic_tool_call_request>: arguments any, callId, namespace, tool, turnId
<event_msg>.payload<dynamic_tool_call_response>: arguments any, call_id, content_items object[],
  duration object, error null, namespace, success boolean, tool, turn_id
<event_msg>.payload<dynamic_tool_call_response>.content_items[]<inputText>: text
<event_msg>.payload<dynamic_tool_call_response>.duration: nanos number, secs number
<event_msg>.payload<entered_review_mode>: item_id, prompt, target object, turn_id, user_facing_hint
<event_msg>.payload<entered_review_mode>.target<baseBranch>: branch
<event_msg>.payload<entered_review_mode>.target<commit>: sha, title
<event_msg>.payload<entered_review_mode>.target<custom>: instructions
<event_msg>.payload<entered_review_mode>.target<uncommittedChanges>:
<event_msg>.payload<error>: codex_error_info object|string, message
<event_msg>.payload<error>.codex_error_info: http object
<event_msg>.payload<error>.codex_error_info.http: status number
<event_msg>.payload<exec_command_end>: aggregated_output, call_id, command string[], cwd, duration object,
  exit_code number, formatted_output, parsed_cmd object[], process_id, source, status, stderr, stdout, turn_id
<event_msg>.payload<exec_command_end>.duration: nanos number, secs number
<event_msg>.payload<exec_command_end>.parsed_cmd[]<read>: cmd, name, path
<event_msg>.payload<exec_command_end>.parsed_cmd[]<search>: cmd, path, query
<event_msg>.payload<exec_command_end>.parsed_cmd[]<unknown>: cmd
<event_msg>.payload<exited_review_mode>: item_id, review_output object, turn_id
<event_msg>.payload<exited_review_mode>.review_output: findings []|object[], overall_confidence_score number,
  overall_correctness, overall_explanation
<event_msg>.payload<exited_review_mode>.review_output.findings[]: body, code_location object,
  confidence_score number, priority number, title
<event_msg>.payload<exited_review_mode>.review_output.findings[].code_location: absolute_file_path,
  line_range object
<event_msg>.payload<exited_review_mode>.review_output.findings[].code_location.line_range: end number,
  start number
<event_msg>.payload<guardian_assessment>: action object, decision_source, id, rationale, risk_level, status,
  target_item_id, turn_id, user_authorization
<event_msg>.payload<guardian_assessment>.action<apply_patch>: cwd, files string[]
<event_msg>.payload<guardian_assessment>.action<command>: command, cwd, source
<event_msg>.payload<guardian_assessment>.action<mcp_tool_call>: connector_id, connector_name, server,
  tool_name, tool_title
<event_msg>.payload<image_generation_end>: call_id, result, revised_prompt, saved_path, status
<event_msg>.payload<item_completed>: completed_at_ms number, item object, started_at_ms number, thread_id,
  turn_id
<event_msg>.payload<item_completed>.item<AgentMessage>: content object[], id, memory_citation object, phase
<event_msg>.payload<item_completed>.item<AgentMessage>.content[]<Text>: text
<event_msg>.payload<item_completed>.item<AgentMessage>.memory_citation: entries object[], rolloutIds string[]
<event_msg>.payload<item_completed>.item<AgentMessage>.memory_citation.entries[]: lineEnd number,
  lineStart number, note, path
<event_msg>.payload<item_completed>.item<CommandExecution>: aggregated_output, command string[], cwd,
  duration object, exit_code number, formatted_output, id, parsed_cmd object[], process_id, source, status,
  stderr, stdout
<event_msg>.payload<item_completed>.item<CommandExecution>.duration: nanos number, secs number
<event_msg>.payload<item_completed>.item<CommandExecution>.parsed_cmd[]<read>: cmd, name, path
<event_msg>.payload<item_completed>.item<CommandExecution>.parsed_cmd[]<search>: cmd, path, query
<event_msg>.payload<item_completed>.item<Extension>: action object, id, kind, query, results object[]
<event_msg>.payload<item_completed>.item<Extension>.action<findInPage>: pattern, url null
<event_msg>.payload<item_completed>.item<Extension>.action<openPage>: url
<event_msg>.payload<item_completed>.item<Extension>.action<search>: queries string[], query null
<event_msg>.payload<item_completed>.item<Extension>.results[]<text_result>: domain, ref_id, snippet,
  thumbnail_url, title, url
<event_msg>.payload<item_completed>.item<FileChange>: changes any, id, status, stderr, stdout
<event_msg>.payload<item_completed>.item<McpToolCall>: arguments any, duration object, id,
  readOnlyHint boolean, result object, server, status, tool
<event_msg>.payload<item_completed>.item<McpToolCall>.duration: nanos number, secs number
<event_msg>.payload<item_completed>.item<McpToolCall>.result: _meta any, content object[], isError boolean
<event_msg>.payload<item_completed>.item<McpToolCall>.result.content[]<text>: text
<event_msg>.payload<item_completed>.item<Plan>: id, text
<event_msg>.payload<item_completed>.item<Reasoning>: id, raw_content [], summary_text []
<event_msg>.payload<item_completed>.item<UserMessage>: client_id, content object[], id
<event_msg>.payload<item_completed>.item<UserMessage>.content[]<text>: text, text_elements []
<event_msg>.payload<mcp_tool_call_end>: action_name, app_name, call_id, connector_id, duration object,
  invocation object, link_id, plugin_id, read_only_hint boolean, result object
<event_msg>.payload<mcp_tool_call_end>.duration: nanos number, secs number
<event_msg>.payload<mcp_tool_call_end>.invocation: arguments any, server, tool
<event_msg>.payload<mcp_tool_call_end>.result: Err, Ok object
<event_msg>.payload<mcp_tool_call_end>.result.Ok: _meta any, content []|object[], isError boolean,
  structuredContent any
<event_msg>.payload<mcp_tool_call_end>.result.Ok.content[]<image>: data, mimeType
<event_msg>.payload<mcp_tool_call_end>.result.Ok.content[]<text>: text
<event_msg>.payload<patch_apply_end>: call_id, changes any, status "completed", stderr, stdout,
  success boolean, turn_id
<event_msg>.payload<sub_agent_activity>: agent, agent_path, agent_thread_id, event_id, kind,
  occurred_at_ms number
<event_msg>.payload<task_complete>: completed_at number|string, duration_ms number, error object,
  last_agent_message null|string, root_turn_id, started_at number|string, time_to_first_token_ms number,
  turn_id
<event_msg>.payload<task_complete>.error: codex_error_info, message
<event_msg>.payload<task_started>: collaboration_mode_kind, model_context_window number, root_turn_id,
  started_at number|string, turn_attribution object, turn_id
<event_msg>.payload<task_started>.turn_attribution: initiating_agent_path null, parent_turn_id null,
  root_turn_id, turn_id, turn_trigger
<event_msg>.payload<thread_goal_updated>: goal object, threadId, turnId
<event_msg>.payload<thread_goal_updated>.goal: createdAt number, objective, status, threadId,
  timeUsedSeconds number, tokensUsed number, updatedAt number
<event_msg>.payload<thread_name_updated>: thread_id, thread_name
<event_msg>.payload<thread_rolled_back>: num_turns number
<event_msg>.payload<thread_settings_applied>: thread_id, thread_settings object
<event_msg>.payload<thread_settings_applied>.thread_settings: active_permission_profile object,
  approval_policy, approvals_reviewer, collaboration_mode object, cwd, disabled_plugin_ids [], model,
  model_provider_id, permission_profile object, personality, reasoning_effort, reasoning_summary,
  runtime_workspace_roots string[], service_tier
<event_msg>.payload<thread_settings_applied>.thread_settings.active_permission_profile: id
<event_msg>.payload<thread_settings_applied>.thread_settings.collaboration_mode: mode, settings object
<event_msg>.payload<thread_settings_applied>.thread_settings.collaboration_mode.settings: developer_instructions null,
  model, reasoning_effort null
<event_msg>.payload<thread_settings_applied>.thread_settings.permission_profile<disabled>:
<event_msg>.payload<thread_settings_applied>.thread_settings.permission_profile<managed>: file_system object,
  network
<event_msg>.payload<thread_settings_applied>.thread_settings.permission_profile<managed>.file_system:
<event_msg>.payload<token_count>: info null|object, rate_limits null|object
<event_msg>.payload<token_count>.info: last_token_usage object, last_usage_includes_reasoning boolean,
  model_context_window null|number, total_token_usage object
<event_msg>.payload<token_count>.info.last_token_usage: cache_write_input_tokens number,
  cached_input_tokens number, input_tokens number, output_tokens number, reasoning_output_tokens number,
  total_tokens number
<event_msg>.payload<token_count>.info.total_token_usage: cache_write_input_tokens number,
  cached_input_tokens number, input_tokens number, output_tokens number, reasoning_output_tokens number,
  total_tokens number
<event_msg>.payload<token_count>.rate_limits: credits null|object, individual_limit null, limit_id,
  limit_name null, plan_type null|string, primary null|object, primary_to_secondary_ratio_percent number,
  primary_used_percent number, primary_window_minutes number, rate_limit_reached_type null,
  secondary null|object, secondary_used_percent number, secondary_window_minutes number,
  spend_control_reached boolean|null
<event_msg>.payload<token_count>.rate_limits.credits: balance, has_credits boolean, unlimited boolean
<event_msg>.payload<token_count>.rate_limits.primary: resets_at number, resets_in_seconds number,
  used_percent number, window_minutes number
<event_msg>.payload<token_count>.rate_limits.secondary: resets_at number, resets_in_seconds number,
  used_percent number, window_minutes number
<event_msg>.payload<turn_aborted>: completed_at, duration_ms number, reason, started_at, turn_id
<event_msg>.payload<undo_completed>: message, success boolean
<event_msg>.payload<user_message>: audio []|null, client_id, images []|string[], kind, local_audio []|null,
  local_images []|string[], message, text_elements []|object[]
<event_msg>.payload<user_message>.text_elements[]: byte_range object, placeholder
<event_msg>.payload<user_message>.text_elements[].byte_range: end number, start number
<event_msg>.payload<view_image_tool_call>: call_id, path
<event_msg>.payload<web_search_end>: action object, call_id, query, results object[]
<event_msg>.payload<web_search_end>.action<search>: pattern null, queries string[], query, url null
<event_msg>.payload<web_search_end>.results[]<result>: domain, ref_id, snippet, thumbnail_url null, title, url
<function_call>: arguments any, call_id, id, name
<function_call_output>: call_id, output any
<inter_agent_communication>: ordinal number, payload object, timestamp
<inter_agent_communication>.payload: author, content, encrypted_content, other_recipients []|string[],
  recipient, trigger_turn boolean
<inter_agent_communication_metadata>: ordinal number, payload object, timestamp
<inter_agent_communication_metadata>.payload: trigger_turn boolean
<message/assistant>: content object[], id
<message/assistant>.content[]<output_text>: text
<message/user>: content object[], id null
<message/user>.content[]<input_text>: text
<reasoning>: id, summary []
<response_item>: metadata object, ordinal number, payload object, timestamp
<response_item>.metadata: client_authored boolean, mcp_attribution object, retained_source object,
  user_input_order number
<response_item>.metadata.mcp_attribution: error_reason, status "attribution_error"
<response_item>.metadata.retained_source: complete boolean, id object, revision
<response_item>.metadata.retained_source.id<assistant>: message_id, turn_id
<response_item>.metadata.retained_source.id<user>: message_id, turn_id
<response_item>.payload<agent_message>: author, content object[], id,
  internal_chat_message_metadata_passthrough any, recipient
<response_item>.payload<agent_message>.content[]<encrypted_content>: encrypted_content
<response_item>.payload<agent_message>.content[]<input_text>: text
<response_item>.payload<assistant>: content object[]
<response_item>.payload<assistant>.content[]<output_text>: text
<response_item>.payload<compaction>: encrypted_content, id
<response_item>.payload<compaction_summary>: encrypted_content
<response_item>.payload<context_compaction>: encrypted_content
<response_item>.payload<custom_tool_call>: call_id, id, input any,
  internal_chat_message_metadata_passthrough any, metadata object, name, status "completed"|string
<response_item>.payload<custom_tool_call>.metadata: turn_id
<response_item>.payload<custom_tool_call_output>: call_id, id, internal_chat_message_metadata_passthrough any,
  name, output any
<response_item>.payload<function_call>: arguments any, call_id, id,
  internal_chat_message_metadata_passthrough any, metadata object, name, namespace null|string, summary
<response_item>.payload<function_call>.metadata: turn_id
<response_item>.payload<function_call_output>: call_id, id, internal_chat_message_metadata_passthrough any,
  output any
<response_item>.payload<ghost_snapshot>: ghost_commit object
<response_item>.payload<ghost_snapshot>.ghost_commit: id, parent, preexisting_untracked_dirs [],
  preexisting_untracked_files string[]
<response_item>.payload<image_generation_call>: id, result, revised_prompt, status "completed"|string
<response_item>.payload<local_shell_call>: action object, call_id null|string, id,
  status "completed"|"in_progress"|"incomplete"
<response_item>.payload<local_shell_call>.action<exec>: command string[], timeout_ms null|number
<response_item>.payload<message/assistant>: content []|object[], id,
  internal_chat_message_metadata_passthrough any, metadata object, phase "commentary"|"final_answer"|"output",
  status "completed"
<response_item>.payload<message/assistant>.content[]<input_image>: detail, image_url null
<response_item>.payload<message/assistant>.content[]<output_text>: annotations [], text
<response_item>.payload<message/assistant>.content[]<refusal>: refusal
<response_item>.payload<message/assistant>.metadata: turn_id
<response_item>.payload<message/developer>: content object[], id,
  internal_chat_message_metadata_passthrough any
<response_item>.payload<message/developer>.content[]<input_audio>: audio_url
<response_item>.payload<message/developer>.content[]<input_image>: detail, image_url
<response_item>.payload<message/developer>.content[]<input_text>: text
<response_item>.payload<message/user>: content []|object[], id,
  internal_chat_message_metadata_passthrough any, phase "input"
<response_item>.payload<message/user>.content[]<input_audio>: audio_url
<response_item>.payload<message/user>.content[]<input_image>: detail, image_url null|string
<response_item>.payload<message/user>.content[]<input_text>: text
<response_item>.payload<reasoning>: content null|object[], encrypted_content null|string, id,
  internal_chat_message_metadata_passthrough any, metadata object, summary []|object[]
<response_item>.payload<reasoning>.content[]<reasoning_text>: text
<response_item>.payload<reasoning>.content[]<text>: text
<response_item>.payload<reasoning>.metadata: turn_id
<response_item>.payload<reasoning>.summary[]<summary_text>: text
<response_item>.payload<tool_call>: arguments any, function object
<response_item>.payload<tool_call>.function: name
<response_item>.payload<tool_result>: name, result object
<response_item>.payload<tool_result>.result: exitCode number, stderr, stdout
<response_item>.payload<tool_search_call>: arguments any, call_id, execution, id,
  internal_chat_message_metadata_passthrough any, metadata object, status "completed"|string
<response_item>.payload<tool_search_call>.metadata: turn_id
<response_item>.payload<tool_search_output>: call_id, execution, id,
  internal_chat_message_metadata_passthrough any, status "completed", tools []|object[]
<response_item>.payload<tool_search_output>.tools[]<function_group>: description, name, tools object[]
<response_item>.payload<tool_search_output>.tools[]<function_group>.tools[]<function>: defer_loading boolean,
  description, name, parameters any, strict boolean
<response_item>.payload<user>: content object[]
<response_item>.payload<user>.content[]<input_text>: text
<response_item>.payload<web_search_call>: action object, id, internal_chat_message_metadata_passthrough any,
  metadata object, status "completed"
<response_item>.payload<web_search_call>.action<search>: pattern null, queries string[], query, url null
<response_item>.payload<web_search_call>.metadata: turn_id
<security_risk_score>: ordinal number, payload object, timestamp
<session_meta>: ordinal number, payload object, timestamp
<session_meta>.payload: agent_nickname, agent_path, agent_role, base_instructions object, cli_version,
  context_window object, cwd, dynamic_tools object|object[], forked_from_id, git object, history_base object,
  history_mode, id, instructions null|string, memory_mode, model_provider, multi_agent_version, originator,
  parent_thread_id, session_id, source object|string, thread_source, timestamp
<session_meta>.payload.base_instructions: provenance object, text
<session_meta>.payload.base_instructions.provenance<model>: model
<session_meta>.payload.context_window: window_id
<session_meta>.payload.dynamic_tools<dynamic>: description, name, tools object[]
<session_meta>.payload.dynamic_tools<dynamic>.tools[]<function>: deferLoading boolean, description,
  inputSchema any, name
<session_meta>.payload.dynamic_tools[]: deferLoading boolean, description, inputSchema any, name, namespace
<session_meta>.payload.dynamic_tools[]<namespace>: description, name, tools object[]
<session_meta>.payload.dynamic_tools[]<namespace>.tools[]<function>: deferLoading boolean, description,
  inputSchema any, name
<session_meta>.payload.git: branch, commit_hash, repository_url
<session_meta>.payload.history_base: end_byte_offset number, end_ordinal_exclusive number, thread_id
<session_meta>.payload.source: subagent object|string
<session_meta>.payload.source.subagent: other, thread_spawn object
<session_meta>.payload.source.subagent.thread_spawn: agent_nickname, agent_path null|string,
  agent_role null|string, depth number, parent_thread_id
<token_usage_record>: payload object, timestamp
<token_usage_record>.payload: response_id, root_turn_id, session_id, thread_id, thread_token_usage object,
  turn_id, turn_token_usage object, usage object
<token_usage_record>.payload.thread_token_usage: cache_write_input_tokens number, cached_input_tokens number,
  input_tokens number, output_tokens number, reasoning_output_tokens number, total_tokens number
<token_usage_record>.payload.turn_token_usage: cache_write_input_tokens number, cached_input_tokens number,
  input_tokens number, output_tokens number, reasoning_output_tokens number, total_tokens number
<token_usage_record>.payload.usage: cache_write_input_tokens number, cached_input_tokens number,
  input_tokens number, output_tokens number, reasoning_output_tokens number, total_tokens number
<turn_context>: ordinal number, payload object, timestamp
<turn_context>.payload: active_permission_profile object, approval_policy, approvals_reviewer,
  base_instructions, collaboration_mode object, comp_hash, current_date, cwd, developer_instructions,
  disabled_plugin_ids [], effort, file_system_sandbox_policy object, final_output_json_schema any, model,
  multi_agent_mode object, multi_agent_version number|string, permission_profile object, personality,
  realtime_active boolean, root_turn_id, sandbox_policy object, summary, timezone, truncation_policy object,
  turn_id, user_instructions, workspace_roots string[]
<turn_context>.payload.active_permission_profile: id
<turn_context>.payload.collaboration_mode: developer_instructions null, mode, model, reasoning_effort,
  settings object
<turn_context>.payload.collaboration_mode.settings: developer_instructions null|string, model,
  reasoning_effort null|string
<turn_context>.payload.file_system_sandbox_policy: entries object[], kind
<turn_context>.payload.file_system_sandbox_policy.entries[]: access, missing_path_behavior, path object|string
<turn_context>.payload.file_system_sandbox_policy.entries[].path<path>: path
<turn_context>.payload.file_system_sandbox_policy.entries[].path<special>: value object
<turn_context>.payload.file_system_sandbox_policy.entries[].path<special>.value: kind
<turn_context>.payload.multi_agent_mode: mode
<turn_context>.payload.permission_profile: file_system object, network object
<turn_context>.payload.permission_profile.file_system: entries object[]
<turn_context>.payload.permission_profile.file_system.entries[]: access, path object
<turn_context>.payload.permission_profile.file_system.entries[].path<special>: value object
<turn_context>.payload.permission_profile.file_system.entries[].path<special>.value: kind
<turn_context>.payload.permission_profile.network: enabled boolean
<turn_context>.payload.permission_profile<disabled>:
<turn_context>.payload.permission_profile<managed>: file_system object, network
<turn_context>.payload.permission_profile<managed>.file_system<restricted>: entries object[]
<turn_context>.payload.permission_profile<managed>.file_system<restricted>.entries[]: access,
  missing_path_behavior, path object
<turn_context>.payload.permission_profile<managed>.file_system<restricted>.entries[].path<path>: path
<turn_context>.payload.permission_profile<managed>.file_system<restricted>.entries[].path<special>: value object
<turn_context>.payload.permission_profile<managed>.file_system<restricted>.entries[].path<special>.value: kind
<turn_context>.payload.sandbox_policy: mode
<turn_context>.payload.sandbox_policy<danger-full-access>:
<turn_context>.payload.sandbox_policy<read-only>:
<turn_context>.payload.sandbox_policy<workspace-write>: exclude_slash_tmp boolean,
  exclude_tmpdir_env_var boolean, network_access boolean, writable_roots string[]
<turn_context>.payload.truncation_policy: limit number, mode
<world_state>: ordinal number, payload object, timestamp
<world_state>.payload: full boolean, state any
`,
};
