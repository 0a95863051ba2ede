import type { CredentialScope, VouchingKind } from '@/lib/authority/roster';
import type { MintCredentialInput } from '@/lib/contracts/console/roster';

/** What the form of a vouching credential holds, as typed. */
export type CredentialDraft = { readonly kind: VouchingKind; readonly subject: string; readonly humans: string; readonly agents: string; readonly attributes: string; readonly days: string };

type List = keyof CredentialScope;

/** For what each kind vouches, and which lists say for whom. A list that is left out gives nothing. */
export const vouchingWords: { readonly [K in VouchingKind]: { readonly name: string; readonly does: string; readonly lists: readonly List[] } } = {
  orchestrator: { name: 'Orchestrator', does: 'Opens sessions for people and records what they asked.', lists: ['humans', 'attributes'] },
  enforcement_point: { name: 'Enforcement point', does: 'Redeems permits, runs what they license, and reports the outcome.', lists: ['agents'] },
  information_point: { name: 'Information point', does: 'Supplies facts that policies ask for.', lists: ['attributes'] },
};

export const listWords: { readonly [L in List]: { readonly label: string; readonly hint: string } } = {
  humans: { label: 'People it speaks for', hint: 'E-mail addresses with commas between; * for everybody.' },
  agents: { label: 'Agents it runs for', hint: 'Names of agents with commas between; * for all.' },
  attributes: { label: 'Facts it supplies', hint: 'Names of attributes with commas between; * for all.' },
};

export const emptyDraft: CredentialDraft = { kind: 'orchestrator', subject: '', humans: '', agents: '', attributes: '', days: '90' };

/** What the form says, as the server takes it. Only the lists of its kind count. */
export function mintInput({ kind, subject, days, ...lists }: CredentialDraft): MintCredentialInput {
  const scope = Object.fromEntries(vouchingWords[kind].lists.map((list) => [list, lists[list].split(/[\s,]+/).filter(Boolean)]));
  return { credential_kind: kind, subject: subject.trim(), scope, expires_in_days: Number(days) };
}

export const scopeWords = (scope: { readonly [L in List]?: readonly string[] | undefined }): string =>
  (['humans', 'agents', 'attributes'] as const).flatMap((list) => (scope[list] === undefined ? [] : [`${list === 'humans' ? 'people' : list}: ${scope[list].join(', ') || 'none'}`])).join('; ') || 'nothing';
