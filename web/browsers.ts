/** The oldest browsers that the pages support. */
export const browsers = {
  target: "es2022",
  // The first versions with light-dark().
  cssTarget: ["chrome123", "firefox120", "safari17.5"],
};
