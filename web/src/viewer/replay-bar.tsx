import { viewerTexts } from "../text/viewer-texts.js";
import { count } from "../transcript/numbers.js";
import { type Replay, type ReplayState, speeds } from "./model/replay.js";

export function ReplayBar({ replay, state }: { replay: Replay; state: ReplayState }) {
  const { playing, shown, speed } = state;
  const words = viewerTexts.replay;
  return (
    <fieldset className="viewer-replay" aria-label={words.label}>
      <button
        type="button"
        className="viewer-play"
        aria-label={playing ? words.pause : words.play}
        title={playing ? words.pauseKey : words.playKey}
        onClick={() => (playing ? replay.pause() : replay.play())}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d={playing ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4.5 2.5v11l9-5.5z"} fill="currentColor" />
        </svg>
      </button>
      <input
        type="range"
        className="viewer-scrub"
        aria-label={words.shown}
        min={0}
        max={replay.length}
        value={shown}
        onChange={({ target }) => replay.seek(Number(target.value))}
      />
      <span className="viewer-quiet viewer-position">
        {count(shown)} / {count(replay.length)}
      </span>
      <select
        className="viewer-select"
        aria-label={words.speed}
        value={speed}
        onChange={({ target }) => {
          const chosen = speeds.find((one) => one === Number(target.value));
          if (chosen !== undefined) replay.setSpeed(chosen);
        }}
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
    </fieldset>
  );
}
