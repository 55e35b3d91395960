import type { RpcPermissionRequest, RpcQuestion } from "../../protocol/schema.js";

type Field = RpcQuestion["fields"][number];

/** The kinds of questions that a client can show. */
export interface ElicitationModes {
  form: boolean;
  url: boolean;
}

/** The parameters of `elicitation/create` for a question; undefined if the client cannot show it. */
export function elicitationOf(
  { id, toolCall, question }: RpcPermissionRequest,
  sessionId: string,
  modes: ElicitationModes,
): object | undefined {
  if (question === undefined) return undefined;
  const message = textOf(question);
  const scope = { sessionId, toolCallId: toolCall.id, message };
  if (question.url !== undefined) {
    return modes.url ? { ...scope, mode: "url", elicitationId: id, url: question.url } : undefined;
  }
  if (!modes.form) return undefined;
  const properties = Object.fromEntries(question.fields.map((field) => [field.name, propertyOf(field)]));
  const required = question.fields.filter((field) => field.required).map(({ name }) => name);
  return { ...scope, mode: "form", requestedSchema: { type: "object", properties, required } };
}

/** A question as text, for a client that can only allow or deny. */
export function questionText(question: RpcQuestion): string {
  const fields = question.fields.map(({ title, description }) =>
    description === undefined ? `- ${title}` : `- ${title}: ${description}`,
  );
  const page = question.url === undefined ? [] : [question.url];
  return [textOf(question), ...page, ...fields].join("\n");
}

/** An answer that a choice between fixed options can give. */
export interface FixedAnswer {
  name: string;
  content: Record<string, string | boolean>;
}

/** The answers that accept a question without typing; none if the user would have to type something. */
export function fixedAnswers({ fields }: RpcQuestion): FixedAnswer[] {
  const missing = fields.filter((field) => field.required && field.default === undefined);
  const [field, ...others] = missing;
  if (field === undefined) return [{ name: "Accept", content: {} }];
  if (others.length > 0) return [];
  if (field.type === "boolean") {
    return [
      { name: `${field.title}: yes`, content: { [field.name]: true } },
      { name: `${field.title}: no`, content: { [field.name]: false } },
    ];
  }
  if (field.type !== "choice") return [];
  return (field.options ?? []).map(({ value, title }) => ({ name: title, content: { [field.name]: value } }));
}

function textOf({ server, message }: RpcQuestion): string {
  return `${server} asks: ${message}`;
}

function propertyOf({ type, title, description, options = [], default: preset }: Field): object {
  const titled = options.map((option) => ({ const: option.value, title: option.title }));
  const about = {
    title,
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
  };
  switch (type) {
    case "text":
      return { type: "string", ...about };
    case "choice":
      return { type: "string", ...about, oneOf: titled };
    case "choices":
      return { type: "array", ...about, items: { anyOf: titled } };
    default:
      return { type, ...about };
  }
}
