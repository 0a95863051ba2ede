import type { ReceiptFilters } from '@/lib/ports/ledger-reader';

/** Values of a statement and the conditions that name them. `$1` is the workspace. */
export class Conditions {
  readonly values: unknown[];
  readonly all: string[] = ['"workspace_id" = $1'];

  constructor(workspace: string) {
    this.values = [workspace];
  }

  /** The place of a value that is no condition by itself. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${String(this.values.length)}`;
  }

  add(value: unknown, condition: (place: string) => string): void {
    if (value !== undefined) this.all.push(condition(this.value(value)));
  }

  get text(): string {
    return this.all.join(' AND ');
  }
}

/** Filters that a facet answers: the columns are named alike in `receipts` and `receipt_facets`. */
export function addFacetFilters(to: Conditions, filters: ReceiptFilters): void {
  to.add(filters.decision, (p) => `"decision" = ${p}`);
  to.add(filters.tool, (p) => `"tool" = ${p}`);
  to.add(filters.agent, (p) => `"agent_id" = ${p}`);
  to.add(filters.person, (p) => `"person" = ${p}`);
  to.add(filters.kind, (p) => `"kind" = ${p}`);
  to.add(filters.label, (p) => `${p} = ANY("labels")`);
  to.add(filters.rule, (p) => `${p} = ANY("rules")`);
}

const names = ['agent_id', 'person', 'tool', 'operation'] as const;

/** The text anywhere in a name; its own `%`, `_` and `\` stand for themselves. */
export const namesHold = (text: string, to: Conditions): string => {
  const place = to.value(`%${text.replace(/[\\%_]/g, '\\$&')}%`);
  return `(${names.map((name) => `"${name}" ILIKE ${place}`).join(' OR ')})`;
};

export const idColumns = ['id', 'session_id', 'action_id'] as const;

/** Four characters say of what kind an id is; with three more it is one of some forty thousand. */
const shortestId = 7;

/** What ids that begin with a text lie between; null when too many would. */
export const idRange = (text: string): readonly [from: string, to: string] | null => {
  const start = text.toLowerCase();
  return start.length >= shortestId && /^[a-z]{3}_[a-z0-9]+$/.test(start) ? [start, `${start}~`] : null;
};
