import type { ReceiptFilters as Asked, Span } from '@/lib/contracts/console/receipt-filters';
import type { ReceiptFilters } from '@/lib/ports/ledger-reader';

const hourMs = 3_600_000;

/** What the store is asked for: only what was given, and a span as the time at which it begins. `now` is the database's. */
export function filtersAsked({ span, ...filters }: Asked, now: string): ReceiptFilters {
  const began = span === undefined ? undefined : beginningOf(span, now);
  const from = began !== undefined && (filters.from === undefined || began > filters.from) ? began : filters.from;
  const { to, decision, kind, tool, agent, person, rule, revision, label, session, action, text } = filters;
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(decision === undefined ? {} : { decision }),
    ...(kind === undefined ? {} : { kind }),
    ...(tool === undefined ? {} : { tool }),
    ...(agent === undefined ? {} : { agent }),
    ...(person === undefined ? {} : { person }),
    ...(rule === undefined ? {} : { rule }),
    ...(revision === undefined ? {} : { revision }),
    ...(label === undefined ? {} : { label }),
    ...(session === undefined ? {} : { session }),
    ...(action === undefined ? {} : { action }),
    ...(text === undefined ? {} : { text }),
  };
}

function beginningOf(span: Span, now: string): string {
  const at = Date.parse(now);
  switch (span) {
    case 'hour': return new Date(at - hourMs).toISOString();
    case 'today': return `${now.slice(0, 10)}T00:00:00.000Z`;
    case 'day': return new Date(at - 24 * hourMs).toISOString();
    case 'week': return new Date(at - 7 * 24 * hourMs).toISOString();
    case 'month': return new Date(at - 30 * 24 * hourMs).toISOString();
  }
}
