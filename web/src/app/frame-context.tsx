import { createContext, useContext } from "react";

/** What pages use of the frame around them. */
interface Frame {
  /** Opens the side bar, which is a drawer on narrow pages and can be closed on wide ones. */
  openSideBar(): void;
}

const Context = createContext<Frame>({ openSideBar: () => undefined });

export const FrameProvider = Context.Provider;

export function useFrame(): Frame {
  return useContext(Context);
}
