/** Arguments that make a program run other programs or code, or write to a given place. */
interface Risks {
  /** One-letter options, alone or bundled: `sort -uo FILE`. */
  letters?: string;
  /** The first argument is a bundle of letters even without a hyphen: `tar xIf PROGRAM`. */
  bundles?: boolean;
  longs?: readonly string[];
  /** Subcommands. */
  words?: readonly string[];
  /** Any other argument. */
  argument?: RegExp;
  /** The first argument that is not an option is code; only code that matches this is harmless. */
  harmlessCode?: RegExp;
}

/** Long options that are risky in every program that has them. */
const ANYWHERE: readonly string[] = [
  ...["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf"],
  ...["--checkpoint-action", "--to-command", "--use-compress-program", "--compress-program", "--exec"],
  ...["--output", "--ext-diff", "--open-files-in-pager", "--upload-pack", "--receive-pack", "--pager"],
  ...["--config-env", "--init-command", "--eval", "--rsh"],
];

/** `*` can expand to a file whose name is an option. */
const EXPANDS = /^[*?[]/;

const shell: Risks = { letters: "cis", longs: ["--rcfile", "--init-file"] };
const awk: Risks = { letters: "fEeil", longs: ["--file", "--source", "--include", "--load"], argument: /^@/ };
const javascript: Risks = {
  letters: "epr",
  longs: ["--print", "--require", "--import", "--loader", "--experimental-loader"],
  words: ["eval", "repl", "x", "exec", "run", "install", "i", "add", "create"],
};
const packages: Risks = {
  letters: "C",
  longs: ["--prefix", "--script-shell", "--dir", "--cwd", "--node-options"],
  words: [
    ...["exec", "x", "dlx", "run", "run-script", "explore", "init", "create", "install", "i", "ci", "add"],
    ...["rebuild", "update", "link", "install-test", "it", "config", "set"],
  ],
};
const tar: Risks = {
  letters: "IF",
  bundles: true,
  longs: ["--info-script", "--new-volume-script", "--rmt-command", "--rsh-command"],
  // An archive on another machine (`host:file`) is fetched by a program.
  argument: /:|^[*?[]/,
};
const apt: Risks = { letters: "oc", longs: ["--option", "--config-file"] };

/** By program name, or program and subcommand, without version numbers. */
const PROGRAMS: ReadonlyMap<string, Risks> = new Map(
  Object.entries({
    ...{ apt, "apt-get": apt },
    ...{ awk, gawk: awk, mawk: awk, nawk: awk },
    ...{ bash: shell, dash: shell, fish: shell, ksh: shell, sh: shell, zsh: shell },
    ...{ bun: javascript, deno: javascript, node: javascript },
    ...{ npm: packages, pnpm: packages, yarn: packages },
    ...{ bsdtar: tar, gtar: tar, tar },
    cargo: { words: ["run", "r", "install"], longs: ["--config"] },
    cpio: { letters: "FO", longs: ["--rsh-command", "--rmt-command", "--file"] },
    curl: { letters: "oOK", longs: ["--config", "--remote-name", "--remote-name-all"] },
    fd: { letters: "xX", longs: ["--exec-batch"] },
    git: {
      letters: "OC",
      longs: ["--exec-path", "--config", "--git-dir", "--work-tree", "--template", "--extcmd"],
      words: ["config", "daemon", "difftool", "filter-branch", "hook", "instaweb", "mergetool"],
      // `-c core.pager=sh`, and an address that names a program.
      argument: /^(?:-c)?[\w-]+\.[^=]*=|^ext::/,
    },
    "git bisect": { words: ["run"] },
    "git clone": { letters: "cu" },
    "git ls-remote": { letters: "u" },
    "git rebase": { letters: "x" },
    "git submodule": { words: ["foreach"] },
    go: { words: ["run", "generate", "tool", "install"], longs: ["--toolexec", "--vettool", "--overlay"] },
    less: { letters: "koO", longs: ["--lesskey-file", "--lesskey-src", "--log-file"], argument: /^\+/ },
    make: {
      letters: "fCEI",
      longs: ["--file", "--makefile", "--directory", "--include-dir"],
      // `SHELL=sh`
      argument: /^[^-/][^/]*=/,
    },
    man: { letters: "CHP", longs: ["--html", "--config-file", "--preprocessor"] },
    more: { argument: /^\+/ },
    nc: { letters: "ec", longs: ["--sh-exec", "--lua-exec"] },
    perl: { letters: "eEiIMmx" },
    php: { letters: "rBREdzc", longs: ["--run", "--process-begin", "--process-code", "--define"] },
    pip: { words: ["install", "wheel", "download"] },
    python: { letters: "cm" },
    rg: { longs: ["--pre", "--hostname-bin"] },
    rsync: { letters: "eM", longs: ["--rsync-path", "--remote-option"], argument: EXPANDS },
    ruby: { letters: "eriI", longs: ["--require"] },
    scp: { letters: "oFSJD" },
    sed: {
      letters: "efi",
      longs: ["--expression", "--file", "--in-place"],
      // `1,20p`, `/x/d`, `s/a/b/g`: neither `e`, which runs a command, nor `w`, which writes a file.
      harmlessCode: /^(?:(?:\d+|\/[^/]*\/)(?:,(?:\d+|\/[^/]*\/))?[dpq=]|s\/[^/]*\/[^/]*\/[gpiI\d]*)$/,
    },
    sftp: { letters: "oFSDb" },
    sort: { letters: "o" },
    sqlite: { longs: ["--init", "--cmd"], argument: /^\./ },
    tcpdump: { letters: "zw" },
    wget: { letters: "OPe", longs: ["--execute", "--use-askpass", "--config", "--directory-prefix"] },
    zip: { letters: "T", longs: ["--unzip-command"], argument: EXPANDS },
  } satisfies Record<string, Risks>),
);

/** Programs that run the program in their arguments. */
const LAUNCHERS: ReadonlySet<string> = new Set([
  ...["builtin", "busybox", "command", "doas", "env", "exec", "fakeroot", "ionice", "ltrace", "nice"],
  ...["nohup", "npx", "bunx", "uvx", "pnpx", "setsid", "stdbuf", "strace", "sudo", "systemd-run"],
  ...["time", "timeout"],
  ...["toybox", "unbuffer", "valgrind", "watch", "xargs"],
]);

/** Programs that run commands in a form we cannot inspect: on another machine, in an editor. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...[".", "at", "batch", "chroot", "crontab", "docker", "ed", "emacs", "entr", "eval", "ex", "flock", "gdb"],
  ...["kubectl", "lldb", "nano", "nsenter", "parallel", "pico", "podman", "screen", "script", "socat"],
  ...["source", "ssh", "su", "taskset", "tmux", "unshare", "vi", "view", "vim"],
]);

/**
 * Whether the arguments that a pattern's stars match are harmless in this command. The pattern's own text is intentional.
 *
 * @param command without quotes, as the pattern
 */
export function isHarmless(command: string, pattern: string): boolean {
  const meant = pattern.split(" ");
  const literal = meant.findIndex((word) => word.includes("*"));
  if (literal < 0) return true;
  const given = new Set(meant.map(optionOf).filter((word) => !word.includes("*")));
  const words = command.split(" ");
  for (let at: number | undefined = 0; at !== undefined; at = launchedAt(words, at, literal)) {
    const program = programIn(words[at] ?? "");
    if (OPAQUE.has(program) || !hasHarmlessArguments(program, words.slice(at + 1), given)) return false;
    if (!LAUNCHERS.has(program)) return true;
  }
  return false;
}

/** `/usr/bin/python3.11` → `python` */
function programIn(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/(?<=[a-z])[\d.]+$/, "");
}

/** The index of the program that a launcher runs, if the pattern names it: `timeout -s KILL 5 git log*`. */
function launchedAt(words: readonly string[], launcher: number, literal: number): number | undefined {
  for (let at = launcher + 1; at < literal; at++) {
    const isValue = /^\d+[a-z]?$|^[A-Za-z_]\w*=/.test(words[at] ?? "");
    const mayBelongToOption = words[at - 1]?.startsWith("-") === true;
    if (!isValue && !mayBelongToOption && words[at]?.startsWith("-") === false) return at;
  }
  return undefined;
}

function hasHarmlessArguments(program: string, args: readonly string[], given: ReadonlySet<string>): boolean {
  const subcommands = args.flatMap((word) => PROGRAMS.get(`${program} ${word}`) ?? []);
  const all = [...(PROGRAMS.has(program) ? [PROGRAMS.get(program) ?? {}] : []), ...subcommands];
  const code = args.findIndex((word) => !word.startsWith("-"));
  return args.every((word, index) => {
    if (given.has(optionOf(word))) return true;
    if (isLong(word, ANYWHERE)) return false;
    return !all.some((risks) => isRisky(word, risks, index === 0, index === code));
  });
}

function isRisky(word: string, risks: Risks, isFirst: boolean, isCode: boolean): boolean {
  const { letters, bundles, longs = [], words = [], argument, harmlessCode } = risks;
  if (words.includes(word) || argument?.test(word) === true || isLong(word, longs)) return true;
  if (isCode && harmlessCode?.test(word) === false) return true;
  const bundle = bundles === true && isFirst && !word.startsWith("-") ? `-${word}` : word;
  const [, given = ""] = /^-([A-Za-z0-9]+)/.exec(bundle) ?? [];
  return letters !== undefined && [...letters].some((letter) => given.includes(letter));
}

/** Programs accept the beginning of a long option for the whole, with one hyphen or two. */
function isLong(word: string, longs: readonly string[]): boolean {
  const option = optionOf(word);
  if (longs.includes(option) || longs.includes(`-${option}`)) return true;
  return /^--./.test(option) && longs.some((one) => one.startsWith(option));
}

/** `--output=x` → `--output` */
function optionOf(word: string): string {
  const [option = ""] = word.split("=");
  return option;
}
