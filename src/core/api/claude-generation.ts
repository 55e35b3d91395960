/** Claude's generation by a model's name, wherever it is served; undefined for other models. */
export function generationOf(model: string): number | undefined {
  const [, major, minor = "0"] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === undefined ? undefined : Number(major) + Number(minor) / 100;
}
