import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { type SignatureReader, signatureMetadata } from "../../core/message/provider-metadata.js";
import { deviations, forget, restore } from "../../core/records/deviation.js";
import type { ToolCall, ToolResultMessage } from "../../core/types.js";
import { addNotes, extWith, notesOf } from "./notes.js";
import { decodeOutput, encodeOutput, isMcpResult, onlyText } from "./tool-output.js";
import { namedTool, outcomeOf, type ToolPart, toolOf } from "./wire.js";

/** Fields that depend on the part's state; they are not restored once the call has another outcome. */
const STATE_FIELDS = ["state", "approval", "output", "errorText", "preliminary", "rawInput"];

/** A call and its result, if it has one. The call keeps the deviations of the whole part. */
export function decodeToolPart(
  part: ToolPart,
  signatures: SignatureReader,
): { call: ToolCall; result?: ToolResultMessage } {
  const { name, isStatic } = toolOf(part);
  const { input } = part;
  const signed = signatures.read(part["callProviderMetadata"], "toolCall");
  const call: ToolCall = {
    type: "toolCall",
    id: part.toolCallId,
    name,
    arguments: isObject(input) ? input : {},
    ...(signed === undefined ? {} : { thoughtSignature: signed.signature }),
    ...argumentsError(part),
  };
  const result = decodeResult(part, name);
  addNotes(call, isStatic ? { static: true } : {});
  const { fields, ...noted } =
    deviations(part, ourPart(call, result, signatures.api), { inside: "all" }) ?? {};
  // The state shows later whether the approval still applies.
  const approved = fields !== undefined && Object.hasOwn(fields, "approval") ? { state: part["state"] } : {};
  addNotes(call, fields === undefined ? noted : { ...noted, fields: { ...fields, ...approved } });
  return result === undefined ? { call } : { call, result };
}

export function encodeToolPart(
  call: ToolCall,
  result: ToolResultMessage | undefined,
  api: string,
): JsonObject {
  const ours = ourPart(call, result, api);
  return restore(ours, applicable(notesOf(call), ours, call));
}

/** The notes that still apply to the part. */
function applicable(notes: JsonObject, ours: JsonObject, call: ToolCall): JsonObject {
  const { fields } = notes;
  const state = isObject(fields) && Object.hasOwn(fields, "state") ? fields["state"] : ours["state"];
  const isSame = outcomeOf(state) === outcomeOf(ours["state"]);
  const kept = isSame ? notes : forget(notes, ...STATE_FIELDS);
  return isEmpty(call.arguments) ? kept : forget(kept, "input");
}

/** The part that we would write, without its deviations. */
function ourPart(call: ToolCall, result: ToolResultMessage | undefined, api: string): JsonObject {
  const callProviderMetadata = signatureMetadata(call, api);
  const { state, ...outcome } = outcomeFields(result);
  return {
    ...namedTool(call.name, notesOf(call)["static"] === true),
    toolCallId: call.id,
    state,
    input: call.arguments,
    ...outcome,
    ...(callProviderMetadata === undefined ? {} : { callProviderMetadata }),
  };
}

/** An error is one text. One with other content is an output that states the error itself. */
function outcomeFields(result: ToolResultMessage | undefined): JsonObject {
  if (result === undefined) return { state: "input-available" };
  const errorText = result.content.length === 0 ? "" : onlyText(result.content);
  if (result.isError && errorText !== undefined && !isMcpResult(result))
    return { state: "output-error", errorText };
  return { state: "output-available", output: encodeOutput(result) };
}

function argumentsError({ input, state }: ToolPart): { argumentsError?: string } {
  if (state === "input-streaming") return { argumentsError: "the input was still streaming" };
  return isObject(input) ? {} : { argumentsError: "the input is not an object" };
}

function decodeResult(part: ToolPart, toolName: string): ToolResultMessage | undefined {
  const { state, output, errorText, approval } = part;
  const outcome = outcomeOf(state);
  if (outcome === "none") return undefined;
  const isDenied = state === "output-denied";
  const reason = isDenied && isObject(approval) ? approval["reason"] : errorText;
  // An error must have a text, so an empty one states that there is none.
  const text =
    isString(reason) && (isDenied || reason !== "") ? [{ type: "text" as const, text: reason }] : [];
  const { form, ...read } =
    outcome === "output" ? decodeOutput(output) : { form: undefined, content: text, isError: true };
  return {
    role: "toolResult",
    toolCallId: part.toolCallId,
    toolName,
    ...read,
    timestamp: 0,
    ...extWith({ form }, ["/timestamp"]),
  };
}
