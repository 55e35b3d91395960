import { type AgentMessage, pairUp } from "dragoman/core";
import { ToolActivity } from "../../transcript/tools/tool-activity.js";

/** A call that got a result, and the positions of both. */
export interface AnsweredCall {
  id: string;
  called: number;
  answered: number;
}

export function answeredCalls(messages: readonly AgentMessage[]): AnsweredCall[] {
  const { calls, answers } = pairUp(messages.map((message, at) => ({ message, at })));
  return calls.flatMap(({ id, spot }) => {
    const answer = answers.get(spot)?.result;
    return answer === undefined ? [] : [{ id, called: spot.item.at, answered: answer.at }];
  });
}

/** The calls of a replay whose results are still to come. A call that never got one is not running. */
export function runningTools(calls: readonly AnsweredCall[], shown: number): ToolActivity {
  const running = new ToolActivity(() => 0);
  for (const { id, called, answered } of calls) {
    if (called < shown && answered >= shown) {
      running.push({ type: "tool_execution_update", toolCallId: id, partialResult: undefined });
    }
  }
  return running;
}
