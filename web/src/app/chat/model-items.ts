import { texts } from "../../text/texts.js";
import type { MenuItem } from "../../theme/menu.js";
import { shortCount } from "../../transcript/numbers.js";
import type { ModelCard } from "../state/chat-app.js";

/** The models as items of a menu: those that can answer first, then the others with what they need. */
export function modelItems(
  models: readonly ModelCard[],
  chosen: string | undefined,
  choose: (model: string) => void,
): MenuItem[] {
  const isUsable = ({ ready, id }: ModelCard) => ready || id === chosen;
  const item = ({ id, contextWindow, missing }: ModelCard, isReady: boolean): MenuItem => {
    const size = contextWindow === undefined ? undefined : texts.chat.modelTokens(shortCount(contextWindow));
    const detail = isReady
      ? size
      : missing === undefined
        ? texts.chat.modelUnavailable
        : texts.chat.modelMissing[missing.what](missing.name);
    return {
      label: id,
      ...(detail === undefined ? {} : { detail }),
      ...(chosen === undefined ? {} : { chosen: id === chosen }),
      disabled: !isReady,
      choose: () => choose(id),
    };
  };
  return [
    ...models.filter(isUsable).map((card) => item(card, true)),
    ...models.filter((card) => !isUsable(card)).map((card) => item(card, false)),
  ];
}
