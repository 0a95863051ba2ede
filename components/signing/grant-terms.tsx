import { StatementList } from '@/components/ui/statement-list';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { GrantView } from '@/lib/contracts/console/grants';

import { scopeWords } from './scope-words';

type Terms = Pick<GrantView, 'agent' | 'tool' | 'operation' | 'scope' | 'uses' | 'expires_at' | 'reason'>;

/** What a grant gives, line by line, as its signers read it. */
export function GrantTerms({ terms, replaces = false }: { readonly terms: Terms; readonly replaces?: boolean }) {
  const words = scopeWords(terms.scope);
  return (
    <StatementList
      lines={[
        { label: 'Agent', value: <UntrustedText text={terms.agent} /> },
        { label: 'May use', value: <code><UntrustedText text={`${terms.tool}.${terms.operation ?? '*'}`} /></code> },
        { label: 'Where', value: words.length === 0 ? 'any arguments' : <ul>{words.map((word) => <li key={word}><UntrustedText text={word} /></li>)}</ul> },
        { label: 'How often', value: terms.uses === 1 ? 'once' : `${terms.uses.toLocaleString('en')} times` },
        { label: 'Until', value: <Time at={terms.expires_at} form="date" /> },
        ...(terms.reason === null ? [] : [{ label: 'Because', value: <UntrustedText text={terms.reason} /> }]),
        ...(replaces ? [{ label: 'Ends', value: 'the wider grant that it replaces' }] : []),
      ]}
    />
  );
}
