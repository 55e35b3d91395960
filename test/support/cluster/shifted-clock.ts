/** Loaded before a program: each SIGUSR2 sets its clock to an hour ahead, an hour behind, and back, in turn. */
const SHIFT = `
const Real = Date;
const hours = [1, -1, 0];
let shift = 0;
process.on("SIGUSR2", () => {
  const [next] = hours.splice(0, 1);
  hours.push(next);
  shift = next * 3_600_000;
});
globalThis.Date = class Date extends Real {
  constructor(...parts) {
    if (parts.length === 0) super(Real.now() + shift);
    else super(...parts);
  }
  static now() {
    return Real.now() + shift;
  }
};`;

/** The environment of a Node.js program whose clock \`SIGUSR2\` changes. Timers are not affected: they use another clock. */
export const shiftedClock = {
  NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(SHIFT).toString("base64")}`,
};
