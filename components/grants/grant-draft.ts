import type { GrantView, PrepareGrantInput } from '@/lib/contracts/console/grants';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { isId } from '@/lib/shared/ids';

/** The operators that the form offers; the rest of the language stays to policies and the command line. */
export const scopeOperators = ['eq', 'in', 'lte', 'gte', 'starts_with', 'within', 'domain_in', 'matches'] as const;
export type ScopeOperator = (typeof scopeOperators)[number];

/** One limit on an argument, as it is typed: several values with commas between. */
export type ScopeRow = { readonly parameter: string; readonly operator: ScopeOperator; readonly value: string };

export const spans = { hour: 1, shift: 8, day: 24, week: 168, month: 720 } as const;
export type Span = keyof typeof spans;

export type GrantDraft = {
  readonly agent: string;
  /** `tool.operation`, or `tool.*`. */
  readonly key: string;
  readonly rows: readonly ScopeRow[];
  readonly uses: string;
  readonly span: Span;
  readonly reason: string;
};

export const emptyDraft: GrantDraft = { agent: '', key: '', rows: [], uses: '1', span: 'day', reason: '' };

/** The wider grant's agent, tool, uses and reason; its limits stay and need not be typed again. */
export const narrowedDraft = ({ agent, tool, operation, uses, used, reason }: GrantView): GrantDraft => ({ ...emptyDraft, agent, key: `${tool}.${operation ?? '*'}`, uses: String(uses - used), reason: reason ?? '' });

/** What the server is asked to prepare. Conditions of the wider grant stay; a row on the same argument adds to them. */
export function inputOf(draft: GrantDraft, now: number, wide: GrantView | null): PrepareGrantInput {
  const dot = draft.key.lastIndexOf('.');
  const operation = draft.key.slice(dot + 1);
  const ends = new Date(now + spans[draft.span] * 3_600_000).toISOString();
  const expires_at = wide !== null && wide.expires_at < ends ? wide.expires_at : ends;
  const terms = { agent: draft.agent, tool: draft.key.slice(0, dot), operation: operation === '*' ? null : operation, scope: scopeOf(draft.rows, wide?.scope ?? null), uses: Number(draft.uses), expires_at, reason: draft.reason.trim() };
  return wide !== null && isId('grant', wide.id) ? { ...terms, replaces: wide.id } : terms;
}

function scopeOf(rows: readonly ScopeRow[], kept: Json): Json {
  const scope: Record<string, Json> = isJsonObject(kept) ? { ...kept } : {};
  for (const { parameter, operator, value } of rows) {
    const before = scope[parameter];
    scope[parameter] = { ...(before === undefined ? {} : isJsonObject(before) ? before : { in: Array.isArray(before) ? before : [before] }), [operator]: typed(operator, value) };
  }
  return Object.keys(scope).length === 0 ? null : scope;
}

/** A number where one is written: a scope compares as policies do. */
function typed(operator: ScopeOperator, value: string): Json {
  const one = (text: string): Json => (/^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text === 'true' || text === 'false' ? text === 'true' : text);
  const many = value.split(',').map((part) => part.trim()).filter((part) => part !== '');
  switch (operator) {
    case 'in':
      return many.map(one);
    case 'domain_in':
    case 'starts_with':
    case 'within':
      return many;
    case 'matches':
      return value;
    case 'eq':
    case 'lte':
    case 'gte':
      return one(value.trim());
  }
}
