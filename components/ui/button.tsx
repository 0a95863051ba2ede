import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';

export type ButtonKind = 'default' | 'primary' | 'plain' | 'deny' | 'deny-solid';

interface ButtonLook {
  readonly kind?: ButtonKind;
  readonly small?: boolean;
  /** What still stands in the way ("1 check left"): the button shows it instead of its own words, stays focusable and does nothing. */
  readonly gatedBy?: string | undefined;
  /** Off, with the reason shown as the words ("Reconnecting"). Stays focusable so that the reason can be read. */
  readonly offBecause?: string | undefined;
  /** Key that presses it, shown as a cap and told to assistive technology. */
  readonly hint?: string | undefined;
  readonly icon?: ReactNode;
}

type ButtonProps = ButtonLook & Omit<ComponentProps<'button'>, 'disabled' | 'aria-disabled' | 'style'>;

/**
 * A button. It is never `disabled`: a gated or off button keeps its place in the tab order and says why, and its press is swallowed here, so
 * that no caller can forget to.
 */
export function Button({ kind = 'default', small, gatedBy, offBecause, hint, icon, className, children, onClick, type = 'button', ...rest }: ButtonProps) {
  const shut = gatedBy !== undefined || offBecause !== undefined;
  return (
    <button
      {...rest}
      type={shut ? 'button' : type}
      className={buttonClass({ kind, small, gated: gatedBy !== undefined, className })}
      aria-disabled={shut ? true : undefined}
      aria-keyshortcuts={hint}
      {...(shut || onClick === undefined ? {} : { onClick })}
    >
      {shut ? null : icon}
      {offBecause ?? gatedBy ?? children}
      {hint === undefined ? null : <kbd aria-hidden>{hint}</kbd>}
    </button>
  );
}

type ButtonLinkProps = Pick<ButtonLook, 'kind' | 'small' | 'hint' | 'icon'> & Omit<ComponentProps<typeof Link>, 'style'>;

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function ButtonLink({ kind = 'default', small, hint, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass({ kind, small, gated: false, className })} aria-keyshortcuts={hint}>
      {icon}{children}{hint === undefined ? null : <kbd aria-hidden>{hint}</kbd>}
    </Link>
  );
}

function buttonClass(look: { kind: ButtonKind; small: boolean | undefined; gated: boolean; className: string | undefined }): string {
  const kinds: Record<ButtonKind, string> = { default: '', primary: 'btn-primary', plain: 'btn-plain', deny: 'btn-deny', 'deny-solid': 'btn-deny btn-deny-solid' };
  return ['btn', kinds[look.kind], look.small === true ? 'btn-s' : '', look.gated ? 'btn-gated' : '', look.className ?? ''].filter(Boolean).join(' ');
}
