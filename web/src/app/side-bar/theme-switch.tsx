import { useState } from "react";
import { applyScheme, type ColourScheme, chooseScheme, chosenScheme } from "../../theme/colour-scheme.js";
import { Icon } from "../../theme/icon.js";
import { Menu } from "../../theme/menu.js";

const schemes: readonly (readonly [ColourScheme, string])[] = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
];

applyScheme();

export function ThemeSwitch() {
  const [chosen, setChosen] = useState(chosenScheme);
  return (
    <Menu
      label="Appearance"
      className="icon-button"
      button={<Icon name="theme" />}
      items={schemes.map(([scheme, label]) => ({
        label,
        chosen: scheme === chosen,
        choose: () => {
          chooseScheme(scheme);
          setChosen(scheme);
        },
      }))}
    />
  );
}
