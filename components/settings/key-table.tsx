'use client';

import type { ReactNode } from 'react';

import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { keyWords } from '@/lib/client/key-words';
import type { OwnKeysView } from '@/lib/contracts/console/keys';
import { impacts } from '@/lib/shared/impact';
import type { KeyKind } from '@/lib/shared/keys';

/** A key of one's own, as the table and the dialogs show it. */
export type OwnKey = {
  readonly id: string;
  readonly kind: KeyKind;
  readonly label: string | undefined;
  readonly state: 'roster' | 'root_only' | 'waiting';
  readonly owner: boolean;
  readonly since: string | null;
  readonly used: string | null;
};

export function ownKeysOf({ enrolled, owner, waiting, labels, history }: OwnKeysView): readonly OwnKey[] {
  const owned = new Set<string>(owner.map(({ id }) => id));
  const listed = new Set<string>(enrolled.map(({ id }) => id));
  const known = (state: OwnKey['state']) => ({ id, kind }: { readonly id: string; readonly kind: KeyKind }): OwnKey => ({
    id, kind, state, label: labels[id], owner: owned.has(id), since: history[id]?.added ?? null, used: history[id]?.used ?? null,
  });
  return [
    ...enrolled.map(known('roster')),
    ...owner.filter(({ id }) => !listed.has(id)).map(known('root_only')),
    ...waiting.map(({ key, kind, created_at }): OwnKey => ({ id: key, kind, state: 'waiting', label: labels[key], owner: false, since: created_at, used: null })),
  ];
}

interface KeyTableProps {
  readonly view: OwnKeysView;
  /** Ids of the keys that can be used here, and which of them this browser itself holds. */
  readonly usable: readonly string[];
  readonly held: readonly string[];
  readonly onRename: (key: OwnKey) => void;
  readonly onRevoke: (key: OwnKey) => void;
}

/** One's own keys: what each is, where it is, since when, and what the trust root lets it sign. */
export function KeyTable({ view, usable, held, onRename, onRevoke }: KeyTableProps) {
  const keys = ownKeysOf(view);
  if (keys.length === 0) return <p className="meta2">You have no key. Denying needs none; approving does.</p>;
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label="Your keys">
      <Table caption="Your keys" className="stacked">
        <thead><tr><Th>Key</Th><Th>Where</Th><Th>Added</Th><Th>Last used</Th><Th>May sign</Th><Th><span className="vh">Change</span></Th></tr></thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <td><b>{key.label === undefined ? capital(keyWords(key.kind)) : <UntrustedText text={key.label} />}</b> <span className="t3">{key.label === undefined ? null : `${keyWords(key.kind)}, `}<Digest value={key.id} length="short" /></span></td>
              <td data-label="Where">{place(key, usable, held)}</td>
              <td data-label="Added">{key.since === null ? '–' : <Time at={key.since} />}</td>
              <td data-label="Last used">{key.used === null ? <span className="t3">not lately</span> : <Time at={key.used} />}</td>
              <td data-label="May sign">{mayWords(key, view)}</td>
              <td className="right row-do">
                <span className="inline-flex flex-wrap gap-2">
                  <Button small onClick={() => onRename(key)} aria-label={`Rename ${nameOf(key)}`}>Rename</Button>
                  {key.state === 'root_only' ? null : <Button small onClick={() => onRevoke(key)} aria-label={`${key.state === 'waiting' ? 'Withdraw' : 'Revoke'} ${nameOf(key)}`}>{key.state === 'waiting' ? 'Withdraw' : 'Revoke'}</Button>}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

export const nameOf = ({ label, kind, id }: OwnKey): string => label ?? `${keyWords(kind)} ${id.slice(0, 8)}`;

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function place({ id, kind }: OwnKey, usable: readonly string[], held: readonly string[]): ReactNode {
  if (kind === 'passkey') return held.includes(id) ? <b>Made in this browser</b> : usable.includes(id) ? 'Your other device, or a security key' : 'Another address';
  if (held.includes(id)) return <b>This browser</b>;
  return kind === 'file-ed25519' ? 'A file' : 'Another browser';
}

function mayWords({ kind, owner, state }: OwnKey, { may_sign }: OwnKeysView): ReactNode {
  if (state === 'waiting') return <span className="t3">nothing yet: waits for an owner</span>;
  const may = state === 'roster' ? impacts.filter((impact) => may_sign[impact].includes(kind)).map((impact) => `${impact} impact`) : [];
  const owns = owner ? (['policy', 'root'] as const).filter((purpose) => may_sign[purpose].includes(kind)).map((purpose) => (purpose === 'policy' ? 'policies' : 'the trust root')) : [];
  const all = [...may, ...owns];
  return all.length === 0 ? <span className="t3">nothing: the trust root lets no {keyWords(kind)} sign</span> : all.join(', ');
}
