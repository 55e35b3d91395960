import type { AgentMessage, AssistantMessageEventLine } from "dragoman/core";
import { useSyncExternalStore } from "react";
import { mount } from "../../src/theme/mount.js";
import { itemsOf } from "../../src/transcript/items.js";
import { Listeners } from "../../src/transcript/live/listeners.js";
import { LiveAnswer } from "../../src/transcript/live/live-answer.js";
import { ToolActivity } from "../../src/transcript/tools/tool-activity.js";
import { Transcript } from "../../src/transcript/transcript.js";
import "./page.css";

/** How a test controls the page. */
export interface TranscriptPage {
  show(messages: readonly AgentMessage[]): void;
  /** Adds messages before and after the current ones. */
  grow(before: readonly AgentMessage[], after: readonly AgentMessage[]): void;
  push(event: AssistantMessageEventLine): void;
  step(step: Parameters<ToolActivity["push"]>[0]): void;
  /** Replaces the streaming answer with its stored message. */
  end(message: AgentMessage): void;
}

declare global {
  interface Window {
    transcript: TranscriptPage;
  }
}

interface State {
  messages: readonly AgentMessage[];
  live: LiveAnswer | undefined;
}

let state: State = { messages: [], live: undefined };
const listeners = new Listeners();
const tools = new ToolActivity();

function set(next: Partial<State>): void {
  state = { ...state, ...next };
  listeners.emit();
}

window.transcript = {
  show: (messages) => set({ messages, live: undefined }),
  grow: (before, after) => set({ messages: [...before, ...state.messages, ...after] }),
  push(event) {
    if (state.live === undefined) set({ live: new LiveAnswer() });
    state.live?.push(event);
  },
  step: (step) => tools.push(step),
  end: (message) => set({ messages: [...state.messages, message], live: undefined }),
};

function Page() {
  const { messages, live } = useSyncExternalStore(listeners.subscribe, () => state);
  return (
    <main>
      <h1 className="visually-hidden">A transcript</h1>
      <Transcript items={itemsOf(messages)} live={live} tools={tools} busy={live !== undefined} />
    </main>
  );
}

mount(<Page />);
