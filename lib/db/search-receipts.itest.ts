import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { LogRow, ReceiptFilters } from '@/lib/ports/ledger-reader';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { ReceiptId, SessionId } from '@/lib/shared/ids';
import { aReceipt } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

const count = 2600;
const start = Date.UTC(2026, 0, 1);
const timeOf = (minute: number): string => new Date(start + minute * 60_000).toISOString();
const session = 'ses_0000000000000000000007' as SessionId;

let opened: TestStores;
let all: readonly SignedReceipt[];

/** Two and a half spans of a thousand leaves; neighbours are out of order in time, and what is common meets what is rare. */
beforeAll(async () => {
  opened = await openTestStores();
  const { stores, workspace } = opened;
  const made: SignedReceipt[] = [];
  for (let n = 0; n < count; n++) {
    made.push(
      await aReceipt(workspace, {
        at: n === 2200 ? timeOf(1050) : timeOf(n - (n % 7) * 3),
        ...(n % 400 === 399 ? { session } : {}),
        agent: `agent-${String(n % 130)}`,
        tool: n % 1000 === 10 ? 'payroll' : n % 2 === 0 ? 'mail' : 'files_archive',
        decision: n % 5 === 0 ? 'DENY' : 'ALLOW',
        revision: n === 2100 ? 1 : 1 + Math.floor(n / 900),
        labels: n % 3 === 0 ? ['pii'] : [],
        rules: n % 11 === 0 ? ['cap', 'baseline'] : ['baseline'],
        ...(n < 50 ? { person: 'ada@example.com' } : {}),
      }),
    );
  }
  for (let at = 0; at < count; at += 300) await stores.transactor.withHead((tx) => stores.ledger.append(tx, made.slice(at, at + 300)));
  all = made;
}, 120_000);

afterAll(() => opened.close());

const holds = (receipt: SignedReceipt, filters: ReceiptFilters): boolean =>
  (['decision', 'tool', 'agent', 'person', 'session', 'kind', 'revision'] as const).every((name) => filters[name] === undefined || receipt[name] === filters[name]) &&
  (filters.label === undefined || (receipt.labels ?? []).includes(filters.label)) &&
  (filters.rule === undefined || (receipt.rules ?? []).includes(filters.rule)) &&
  (filters.from === undefined || receipt.at >= filters.from) &&
  (filters.to === undefined || receipt.at < filters.to) &&
  (filters.text === undefined || holdsText(receipt, filters.text.toLowerCase()));

const holdsText = ({ agent = '', tool = '', person = '', operation = '', id, session: of }: SignedReceipt, text: string): boolean =>
  [agent, tool, person, operation].some((name) => name.toLowerCase().includes(text)) || (text.length >= 7 && [id, of ?? ''].some((name) => name.startsWith(text)));

async function everyPage(filters: ReceiptFilters, limit: number): Promise<readonly ReceiptId[]> {
  const found: LogRow[] = [];
  for (let before: bigint | undefined; ; ) {
    const page = await opened.stores.log.search(filters, { limit, ...(before === undefined ? {} : { before }) });
    found.push(...page.rows);
    if (page.next === null) return found.map(({ id }) => id);
    before = page.next;
  }
}

const far = timeOf(count + 1000);

describe('a search gives page by page exactly what fits, newest first', () => {
  test.each<readonly [string, ReceiptFilters]>([
    ['everything', {}],
    ['many combinations', { rule: 'baseline' }],
    ['many combinations, few of whose receipts are new', { person: 'ada@example.com', rule: 'baseline' }],
    ['one agent', { agent: 'agent-7' }],
    ['what is rare', { tool: 'payroll' }],
    ['what is old', { person: 'ada@example.com' }],
    ['what never came together', { tool: 'payroll', person: 'ada@example.com', decision: 'ALLOW' }],
    ['three at once', { tool: 'mail', decision: 'DENY', label: 'pii' }],
    ['one of several rules', { rule: 'cap' }],
    ['an old revision', { revision: 1 }],
    ['the newest revision', { revision: 3, decision: 'DENY' }],
    ['no revision', { revision: 9 }],
    ['a span inside the log', { from: timeOf(1000), to: timeOf(1100) }],
    ['a span at its end', { from: timeOf(count - 50) }],
    ['a span up to its middle', { to: timeOf(1030), decision: 'DENY' }],
    ['a span before it', { to: timeOf(-1000) }],
    ['a span behind it', { from: far }],
    ['a span and a rare tool', { from: timeOf(900), to: timeOf(1200), tool: 'payroll' }],
    ['one session', { session }],
    ['one session and a decision', { session, decision: 'ALLOW' }],
    ['text in a name, in any case', { text: 'PAYROLL', to: far }],
    ['text with a sign that means something elsewhere', { text: 's_a', to: far }],
    ['text nowhere', { text: 'nobody', to: far }],
    ['the beginning of an id', { text: 'ses_0000000', to: far }],
    ['the beginning of an id and a decision', { text: 'ses_0000000', decision: 'DENY', to: far }],
  ])('%s', async (_what, filters) => {
    const expected = all.filter((receipt) => holds(receipt, filters)).map(({ id }) => id).toReversed();
    for (const limit of [97, 3000]) expect(await everyPage(filters, limit)).toEqual(expected);
    expect(await opened.stores.log.count(filters)).toEqual({ count: expected.length, exact: true });
    if (expected.length > 1) {
      const more = await opened.stores.log.count(filters, expected.length - 1);
      if (Object.keys(filters).length > 0) expect(more.exact).toBe(false);
      expect(more.count).toBeGreaterThanOrEqual(expected.length - 1);
    }
  });

  test('text is looked for in the 31 days before the end that was asked for', async () => {
    const late = new Date(start + 40 * 86_400_000).toISOString();
    expect(await everyPage({ text: 'payroll', to: late }, 10)).toEqual([]);
  });
});
