export const NAME = "markdown";
