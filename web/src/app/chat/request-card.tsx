import type { RpcPermissionRequest } from "dragoman/client";
import type { OnPermissionAnswer } from "../state/chat-session.js";
import { PermissionPrompt } from "./permission-prompt.js";
import { QuestionForm } from "./question-form.js";

interface RequestCardProps {
  request: RpcPermissionRequest;
  mayAnswer: boolean;
  hasKeys?: boolean;
  onAnswer: OnPermissionAnswer;
}

/** A request for permission, or a server's question. */
export function RequestCard({ request, mayAnswer, hasKeys = true, onAnswer }: RequestCardProps) {
  const { id, question, expires } = request;
  return question === undefined ? (
    <PermissionPrompt request={request} mayAnswer={mayAnswer} hasKeys={hasKeys} onAnswer={onAnswer} />
  ) : (
    <QuestionForm id={id} question={question} expires={expires} mayAnswer={mayAnswer} onAnswer={onAnswer} />
  );
}
