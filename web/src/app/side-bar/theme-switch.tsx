import { useState } from "react";
import { Menu } from "../controls/menu.js";
import { Icon } from "../controls/icon.js";

const NAME = "dragoman.theme";
const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

function kept(): Theme {
  const name = localStorage.getItem(NAME);
  return themes.find((theme) => theme === name) ?? "system";
}

function show(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

show(kept());

/** Light, dark, or what the system says. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(kept);
  return (
    <Menu
      label="Appearance"
      items={themes.map((theme) => ({
        label: theme.charAt(0).toUpperCase() + theme.slice(1),
        isChosen: theme === chosen,
        onChoose: () => {
          localStorage.setItem(NAME, theme);
          setChosen(theme);
          show(theme);
        },
      }))}
    >
      <Icon name="theme" />
    </Menu>
  );
}
