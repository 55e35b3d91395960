import type { Declaration } from "../declaration.js";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export const completionCommand = {
  name: "completion",
  summary: "print a script that lets a shell complete commands with Tab",
  words: ["SHELL"],
  options: {},
  notes: [
    "SHELL is bash, zsh or fish. The shell completes commands, options, their values, models, agents, sessions, dialects and files.",
    "To load it in every shell, add `source <(dragoman completion bash)` to ~/.bashrc, `source <(dragoman completion zsh)` to ~/.zshrc after `compinit`, or `dragoman completion fish | source` to ~/.config/fish/config.fish.",
  ],
  examples: ["source <(dragoman completion bash)", "dragoman completion fish | source"],
} as const satisfies Declaration;
