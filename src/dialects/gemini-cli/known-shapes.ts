import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type"],
  enums: ["status", "kind"],
  free: ["args", "response", "resultDisplay", "dragoman"],
  records: "messages",
  objects: `
<>: $rewindTo, $set object, directories string[], dragoman any, kind "chat"|"main"|"subagent", lastUpdated,
  meta object, projectHash, sessionId, startTime, summary
<>.$set: directories string[], lastUpdated, memoryScratchpad object, messages []|object[], summary
<>.$set.memoryScratchpad: version number
<>.$set.messages[]<user>: content, id, timestamp
<>.meta: model
<error>: content, id, timestamp
<gemini>: content object|object[]|string, displayContent, id, model, thoughts []|object[], timestamp,
  tokens null|object, toolCalls object[]
<gemini>.content: text
<gemini>.content[]: functionCall object, text, thought boolean, thoughtSignature
<gemini>.content[].functionCall: args any, id, name
<gemini>.thoughts[]: description, subject, timestamp
<gemini>.tokens: cached number, input number, output number, thoughts number, tool number, total number
<gemini>.toolCalls[]: agentId, args any, description, displayName, id, name, renderOutputAsMarkdown boolean,
  result []|null|object|object[]|string, resultDisplay any,
  status "awaiting_approval"|"cancelled"|"error"|"executing"|"scheduled"|"success"|"validating", timestamp
<gemini>.toolCalls[].result: functionResponse object
<gemini>.toolCalls[].result.functionResponse: id, name, response any
<gemini>.toolCalls[].result[]: functionResponse object, inlineData object, text
<gemini>.toolCalls[].result[].functionResponse: id, name, parts object[], response any
<gemini>.toolCalls[].result[].functionResponse.parts[]: inlineData object
<gemini>.toolCalls[].result[].functionResponse.parts[].inlineData: data, mimeType
<gemini>.toolCalls[].result[].inlineData: data, mimeType
<info>: content, id, timestamp
<model>: id, parts object[], timestamp
<model>.parts[]: text
<user>: content object|object[]|string|string[], displayContent object[]|string, id, timestamp
<user>.content: text
<user>.content[]: fileData object, functionResponse object, inlineData object, text
<user>.content[].fileData: displayName, fileUri, mimeType
<user>.content[].functionResponse: id, name, response any
<user>.content[].inlineData: data, displayName, mimeType
<user>.displayContent[]: text
<warning>: content object[]|string, id, timestamp
<warning>.content[]: text
`,
};
