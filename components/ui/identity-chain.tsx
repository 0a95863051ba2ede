import type { ReactNode } from 'react';
import { Icon, type IconName } from '@/components/ui/icon';

export interface ChainLink {
  readonly key: string;
  readonly icon: Extract<IconName, 'person' | 'service' | 'agent' | 'session' | 'role' | 'key'>;
  readonly name: ReactNode;
  /** Exact identifiers are monospace; names of people aren't. */
  readonly exact?: boolean;
  readonly note?: ReactNode;
}

/** On whose behalf, from the person down to the role in use. */
export function IdentityChain({ links }: { readonly links: readonly ChainLink[] }) {
  return (
    <ol className="chain">
      {links.map((link) => (
        <li key={link.key}>
          <Icon name={link.icon} />
          {link.exact === true ? <span className="mono">{link.name}</span> : <b>{link.name}</b>}
          <span className="t3">{link.note}</span>
        </li>
      ))}
    </ol>
  );
}
