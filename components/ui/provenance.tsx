import type { ReactNode } from 'react';
import { DecisionSilhouette } from '@/components/ui/decision-silhouette';
import { Icon, type IconName } from '@/components/ui/icon';
import { UntrustedText } from '@/components/ui/untrusted-text';

/** Where a value was first seen. */
export type ProvenanceOrigin = 'request' | 'person' | 'trusted_output' | 'policy' | 'untrusted_output' | 'nowhere';

interface OriginLook {
  readonly mark: string;
  readonly source: string;
  readonly icon: IconName | 'policy-mark';
  readonly word: string;
}

const looks: Readonly<Record<ProvenanceOrigin, OriginLook>> = {
  request: { mark: 'pv-user', source: 'src-user', icon: 'person', word: 'The request' },
  person: { mark: 'pv-user', source: 'src-user', icon: 'person', word: 'A person' },
  trusted_output: { mark: 'pv-tool', source: '', icon: 'tool', word: 'Trusted tool' },
  policy: { mark: 'pv-policy', source: 'src-policy', icon: 'policy-mark', word: 'Policy' },
  untrusted_output: { mark: 'pv-untrusted', source: 'src-untrusted', icon: 'untrusted', word: 'Untrusted tool' },
  nowhere: { mark: 'pv-none', source: 'src-none', icon: 'nowhere', word: 'Nowhere' },
};

/** A value with the mark of where it came from. It keeps the mark wherever it appears, and is always shown whole. */
export function ProvenanceValue({ origin, value }: { readonly origin: ProvenanceOrigin; readonly value: string }) {
  return <mark className={`pv ${looks[origin].mark}`}><UntrustedText text={value} /></mark>;
}

/** The same origin as glyph and word, with the step or rule it was first seen in. */
export function ProvenanceSource({ origin, detail }: { readonly origin: ProvenanceOrigin; readonly detail?: ReactNode }) {
  const look = looks[origin];
  return (
    <>
      <span className={look.source === '' ? 'src' : `src ${look.source}`}>
        {look.icon === 'policy-mark'
          ? <svg viewBox="0 0 16 16" aria-hidden focusable="false"><DecisionSilhouette decision="MODIFY" /></svg>
          : <Icon name={look.icon} />}
        {look.word}
      </span>
      {detail === undefined ? null : <>{' '}<span className="t3">{detail}</span></>}
    </>
  );
}

export interface Argument {
  /** Path of the parameter, `where[0]`. */
  readonly name: string;
  readonly value: string;
  readonly origin: ProvenanceOrigin;
  readonly detail?: ReactNode;
}

/** Each argument, its value and where that was first seen. */
export function ArgumentTable({ args, caption }: { readonly args: readonly Argument[]; readonly caption: string }) {
  return (
    <table className="args">
      <caption className="vh">{caption}</caption>
      <thead><tr><th scope="col">Argument</th><th scope="col">Value</th><th scope="col">First seen in</th></tr></thead>
      <tbody>
        {args.map((argument) => (
          <tr key={argument.name}>
            <th scope="row"><UntrustedText text={argument.name} /></th>
            <td><ProvenanceValue origin={argument.origin} value={argument.value} /></td>
            <td><ProvenanceSource origin={argument.origin} detail={argument.detail} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
