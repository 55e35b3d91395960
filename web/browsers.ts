/** What the pages are written for. */
export const browsers = {
  target: "es2022",
  // The first that know light-dark().
  cssTarget: ["chrome123", "firefox120", "safari17.5"],
};
