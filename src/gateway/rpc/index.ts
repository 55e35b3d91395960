export { rpc } from "./protocol.js";
