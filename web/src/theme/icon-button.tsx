import type { ComponentProps } from "react";
import { Icon, type IconName } from "./icon.js";

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label" | "title" | "children"> & {
  icon: IconName;
  label: string;
};

export function IconButton({ icon, label, className = "", ...props }: IconButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...props}>
      <Icon name={icon} />
    </button>
  );
}
