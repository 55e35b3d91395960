export const NAME = "html";
