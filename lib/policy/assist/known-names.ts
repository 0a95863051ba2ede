import type { Catalogue } from '@/lib/mediate/catalogue';

/** What a policy may name that does not stand in the language: tools, and the people and agents of a workspace. */
export type KnownNames = {
  readonly catalogue: Catalogue;
  readonly groups: readonly { readonly name: string; readonly people: number }[];
  readonly agents: readonly string[];
  /** Attributes that the policy says who supplies. */
  readonly information: readonly string[];
};

export const toolsOf = ({ entries }: Catalogue): readonly string[] => [...new Set([...entries.values()].map(({ tool }) => tool))].sort();

/** Labels that the levels and the catalogue know. */
export const labelsOf = ({ entries }: Catalogue, levels: readonly string[]): readonly string[] =>
  [...new Set([...levels, 'PII', 'SECRET', 'FINANCIAL', ...[...entries.values()].flatMap(({ labels }) => labels.flatMap(({ add }) => add))])];
