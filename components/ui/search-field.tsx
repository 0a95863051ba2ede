import type { ComponentProps } from 'react';
import { Icon } from '@/components/ui/icon';

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'style' | 'className'> {
  /** Names the control; not shown, the placeholder is. */
  readonly label: string;
  /** Key that moves focus here; the page listens for it. */
  readonly hint?: string;
}

/** The filter above a list. */
export function SearchField({ label, hint, ...input }: SearchFieldProps) {
  return (
    <label className="field">
      <Icon name="search" small />
      <span className="vh">{label}</span>
      <input {...input} type="search" aria-keyshortcuts={hint} />
      {hint === undefined ? null : <kbd aria-hidden>{hint}</kbd>}
    </label>
  );
}
