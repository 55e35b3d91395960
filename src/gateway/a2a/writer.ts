import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AssistantContent } from "../../core/types.js";
import type { AnswerEnd, Block, ChunkWriter, Envelope, Turn } from "../front-ends/chunk-writer.js";
import { partsOf } from "./content.js";
import { questionMessage } from "./question.js";
import type { A2aMessage, A2aPart, StreamChunk, TaskName, TaskState } from "./wire.js";

/**
 * An answer as updates of artifacts: each turn with text is one, named by the id of its message. A client that appends every
 * part has the texts that are stored.
 */
export class A2aWriter implements ChunkWriter<StreamChunk> {
  #artifactId = "";
  #hasParts = false;

  beginTurn({ id }: Turn): StreamChunk[] {
    this.#artifactId = id;
    this.#hasParts = false;
    return [];
  }

  endTurn(): StreamChunk[] {
    return [];
  }

  openBlock(): StreamChunk[] {
    return [];
  }

  appendText({ kind }: Block, delta: string): StreamChunk[] {
    return kind === "text" ? this.#append([{ text: delta }]) : [];
  }

  closeBlock(): StreamChunk[] {
    return [];
  }

  openCall(): StreamChunk[] {
    return [];
  }

  appendArguments(): StreamChunk[] {
    return [];
  }

  closeCall(): StreamChunk[] {
    return [];
  }

  dropCall(): StreamChunk[] {
    return [];
  }

  wholeBlock(block: AssistantContent): StreamChunk[] {
    return this.#append(partsOf(block));
  }

  startTool(): StreamChunk[] {
    return [];
  }

  updateTool(): StreamChunk[] {
    return [];
  }

  endTool(): StreamChunk[] {
    return [];
  }

  ask(): StreamChunk[] {
    return [];
  }

  /** Clients append parts to artifacts, so that two texts are two parts of one update. */
  join(last: StreamChunk, next: StreamChunk): StreamChunk | undefined {
    if (!("artifactUpdate" in last) || !("artifactUpdate" in next) || !next.artifactUpdate.append)
      return undefined;
    const { artifact: before } = last.artifactUpdate;
    const { artifact: after } = next.artifactUpdate;
    if (before.artifactId !== after.artifactId) return undefined;
    const artifact = { ...before, parts: joinTexts([...before.parts, ...after.parts]) };
    return { artifactUpdate: { ...last.artifactUpdate, artifact } };
  }

  #append(parts: A2aPart[]): StreamChunk[] {
    if (parts.length === 0) return [];
    const append = this.#hasParts;
    this.#hasParts = true;
    const artifact = { artifactId: this.#artifactId, parts };
    return [{ artifactUpdate: { artifact, append, lastChunk: false } }];
  }
}

function joinTexts(parts: readonly A2aPart[]): A2aPart[] {
  const joined: A2aPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof last?.["text"] === "string" && typeof part["text"] === "string") {
      joined[joined.length - 1] = { text: last["text"] + part["text"] };
    } else joined.push(part);
  }
  return joined;
}

const endStates: Readonly<Record<AnswerEnd["outcome"], TaskState>> = {
  done: "TASK_STATE_COMPLETED",
  aborted: "TASK_STATE_CANCELED",
  error: "TASK_STATE_FAILED",
};

/** Around each answer: the states of its task. */
export function taskEnvelope(task: TaskName, now: () => number): Envelope<StreamChunk> {
  const update = (state: TaskState, message?: A2aMessage): StreamChunk => {
    const timestamp = new Date(now()).toISOString();
    return { statusUpdate: { status: { state, ...(message === undefined ? {} : { message }), timestamp } } };
  };
  return {
    open: () => [],
    begin: () => [update("TASK_STATE_WORKING")],
    pause: (requests: readonly PermissionRequest[]) => [
      update("TASK_STATE_INPUT_REQUIRED", questionMessage(task, requests)),
    ],
    close: (end) => [
      update(
        endStates[end.outcome],
        end.outcome === "error"
          ? agentMessage(task, `${task.taskId}.error`, [{ text: end.message }])
          : undefined,
      ),
    ],
    fail: (message) => [{ failure: { message } }],
    terminator: "",
  };
}

export function agentMessage(task: TaskName, messageId: string, parts: A2aPart[]): A2aMessage {
  return { messageId, ...task, role: "ROLE_AGENT", parts };
}
