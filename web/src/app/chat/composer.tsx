import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { texts } from "../../text/texts.js";
import { IconButton } from "../../theme/icon-button.js";
import { useConnected } from "../app-context.js";
import type { MessageContent, SendMode } from "../state/chat-session.js";
import { useStore } from "../state/store.js";
import { AttachmentList } from "./attachment-list.js";
import { pastedFile, readFiles, roomFor } from "./attachments.js";
import type { Draft } from "./editing.js";
import { ModeMenu } from "./mode-menu.js";
import { useFileDrop } from "./use-file-drop.js";

interface ComposerProps {
  draft: Draft;
  isEditing?: boolean;
  isBusy?: boolean;
  placeholder?: string;
  /** The model that reads the message. */
  model?: string | undefined;
  onDraft(text: string): void;
  /** Resolves to false if the message could not be sent; the composer then restores it. */
  onSend(content: MessageContent, mode?: SendMode): Promise<boolean>;
  onStop?(): void;
  onEditLast?(): void;
  onCancel?(): void;
}

/** The message field. `draft` is only its initial value; use another `key` for another draft. */
export function Composer({
  draft,
  isEditing = false,
  isBusy = false,
  placeholder = texts.chat.composer.placeholder,
  model,
  onDraft,
  onSend,
  onStop,
  onEditLast,
  onCancel,
}: ComposerProps) {
  const t = texts.chat.composer;
  const { app, welcome, isLost } = useConnected();
  const accepts = useStore(app.models).find(({ id }) => id === model)?.accepts;
  const [text, setText] = useState(draft.text);
  const [attachments, setAttachments] = useState(draft.attachments);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [mode, setMode] = useState<SendMode>("steer");
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const isEmpty = text.trim() === "" && attachments.length === 0;

  useEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.setSelectionRange(element.value.length, element.value.length);
    // Focus would open the on-screen keyboard, which covers half of a phone's page.
    if (isEditing || matchMedia("(pointer: fine)").matches) element.focus();
  }, [isEditing]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: its height depends on the text
  useEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  const write = (value: string) => {
    setText(value);
    onDraft(value);
  };

  const attach = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const room = roomFor(attachments, welcome.limits.frameBytes);
    const read = await readFiles(files, { model, accepts, room });
    setAttachments((before) => [...before, ...read.attachments]);
    setProblems(read.problems);
  };
  const isDropping = useFileDrop((files) => void attach(files));

  const send = async () => {
    if (isEmpty) return;
    const trimmed = text.trim();
    const content: MessageContent =
      attachments.length === 0
        ? trimmed
        : [...(trimmed === "" ? [] : [{ type: "text" as const, text: trimmed }]), ...attachments];
    write("");
    setProblems([]);
    setAttachments([]);
    if (await onSend(content, isBusy && !isEditing ? mode : undefined)) return;
    write(text);
    setAttachments(attachments);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter confirms the word that an input method composes.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey && matchMedia("(pointer: fine)").matches) void send();
    else if (event.key === "ArrowUp" && isEmpty && onEditLast !== undefined) onEditLast();
    else return;
    event.preventDefault();
  };

  const onPaste = (event: ClipboardEvent) => {
    const pasted = pastedFile(event.clipboardData.getData("text/plain"));
    const files = pasted === undefined ? [...event.clipboardData.files] : [pasted];
    if (files.length === 0) return;
    event.preventDefault();
    void attach(files);
  };

  return (
    <form
      className="composer"
      data-dropping={isDropping}
      aria-label={t.label}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {isEditing && (
        <p className="composer-note">
          {t.editing}
          <button type="button" className="link-button" onClick={onCancel}>
            {texts.controls.cancel}
          </button>
        </p>
      )}
      {problems.length > 0 && (
        <div className="composer-problem" role="alert">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <AttachmentList
        attachments={attachments}
        onRemove={(gone) => setAttachments(attachments.filter((one) => one !== gone))}
      />
      <textarea
        ref={field}
        rows={1}
        aria-label={placeholder}
        placeholder={placeholder}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="composer-tools">
        <IconButton icon="attach" label={t.attach} onClick={() => picker.current?.click()} />
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          aria-label={t.files}
          onChange={(event) => {
            void attach([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <span className="composer-space" />
        {isBusy && !isEditing && <ModeMenu mode={mode} onMode={setMode} />}
        {isBusy && isEmpty && !isEditing ? (
          <IconButton icon="stop" label={t.stop} className="send" disabled={isLost} onClick={onStop} />
        ) : (
          <IconButton
            icon="arrow"
            label={isBusy && !isEditing ? t.queue : texts.controls.send}
            type="submit"
            className="send"
            disabled={isEmpty}
          />
        )}
      </div>
    </form>
  );
}
