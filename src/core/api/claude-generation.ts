/** The Claude generation in a model's name, as any provider writes it; undefined for other models. */
export function generationOf(model: string): number | undefined {
  const [, major, minor = "0"] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === undefined ? undefined : Number(major) + Number(minor) / 100;
}
