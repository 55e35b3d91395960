import { useState } from "react";
import { texts } from "../../text/texts.js";
import { applyScheme, type ColourScheme, chooseScheme, chosenScheme } from "../../theme/colour-scheme.js";
import { Icon } from "../../theme/icon.js";
import { Menu } from "../../theme/menu.js";

const schemes: readonly ColourScheme[] = ["system", "light", "dark"];

applyScheme();

export function ThemeSwitch() {
  const [chosen, setChosen] = useState(chosenScheme);
  return (
    <Menu
      label={texts.browserSettings.appearance}
      className="icon-button"
      button={<Icon name="theme" />}
      items={schemes.map((scheme) => ({
        label: texts.browserSettings.schemes[scheme],
        chosen: scheme === chosen,
        choose: () => {
          chooseScheme(scheme);
          setChosen(scheme);
        },
      }))}
    />
  );
}
