import { describe, expect, it } from 'vitest';

import { packVector, type EmbeddingEvidence } from '@/lib/context/embedding';
import { distanceByVectors } from '@/lib/context/semantic-distance';
import type { Snapshot } from '@/lib/context/snapshot';
import { engineVersion } from '@/lib/engine/engine-version';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { asJson } from '@/lib/shared/as-json';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';
import { decideAbout, noon, owner, policyFrom, policyText, snapshotWith, stock } from '@/lib/testing/engine-fixtures';
import { LedgerBuilder, testId, testWorkspace } from '@/lib/testing/ledger-builder';
import { decided } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';

import { rederiveWith } from './rederive-decision';
import type { RederiveInput } from './rederive';

const text = policyText(
  `  - id: no-drops
    match: { tool: database, operation: drop }
    action: DENY
    classification: forbidden
    reason: Agents never drop databases.
  - id: small-queries
    match: { tool: database, operation: delete }
    modify: [{ cap: parameters.limit, at: 10 }]
    action: MODIFY
    reason: A few rows at a time.
  - id: owner-confirms
    match: { tool: files, operation: delete }
    context: { target_ownership: { owned_by: requesting_user } }
    action: STEP_UP
    classification: context_dependent_decision
    approvers: [data-owner]
    reason: The owner confirms it.`,
  `directory: { internal_domains: [corp.example] }
information: { owner: { from: ["ip:records"], max_age: 5m } }
tools:
  - { name: email.send, decision: ALLOW }
  - { name: files.delete, decision: ALLOW }
  - { name: database.delete, decision: ALLOW }`,
);
const policy = policyFrom(text);
const rederive = rederiveWith(sha256, stock);

const base = decided(new LedgerBuilder(), 1, 1);

/** The receipt that the plane writes for what the engine decides about this action. */
function inputFor(name: string, parameters: JsonObject, more: Partial<Snapshot> = {}): RederiveInput {
  const decision = decideAbout(policy, name, parameters, more);
  const [tool = '', operation = ''] = name.split('.');
  const predicate: ReceiptPredicate<'action_decided'> = {
    ...base,
    workspace: testWorkspace,
    at: noon,
    receipt: testId('receipt', 1),
    tool,
    operation,
    decision: decision.decision,
    code: decision.code,
    reason: decision.reason,
    classification: decision.classification,
    impact: decision.impact,
    determining: decision.determining.map(({ id, read }) => ({ id, read })),
    unknown: decision.unknown,
    signals: decision.signals.map(({ name: signal, score, weight }) => ({ name: signal, score, weight })),
    evaluability: decision.evaluability,
    alignment: decision.alignment,
    policy: { revision: 1, digest: digestOf(sha256, utf8(text)) },
    tables: decision.tables,
    engine_version: decision.engine_version,
    ...(decision.transformed ? { transformed_digest: 'b'.repeat(64) as Digest } : {}),
  };
  return {
    decided: predicate,
    action: { tool, operation, parameters },
    snapshot: asJson(snapshotWith(more)),
    policyText: text,
    transformed: decision.transformed ? { tool, operation, parameters: decision.transformed.parameters } : undefined,
  };
}

const mail = () => inputFor('email.send', { to: ['bob@corp.example'], body: 'Hello' });
const deletion = () => inputFor('database.delete', { table: 'test_data', where: 'id > 3', limit: 50 });
const held = () => inputFor('files.delete', { path: 'notes.txt' }, { attributes: [owner('files:notes.txt', 'ada@corp.example')] });

const changed = (input: RederiveInput, change: Partial<ReceiptPredicate<'action_decided'>>): RederiveInput => ({ ...input, decided: { ...input.decided, ...change } });

describe('deciding again', () => {
  it.each<[string, RederiveInput]>([
    ['ALLOW', mail()],
    ['DENY', inputFor('database.drop', { database: 'shop' })],
    ['MODIFY', deletion()],
    ['STEP_UP', held()],
  ])('%s is reproduced from the stored action, snapshot and policy', (decision, input) => {
    expect(input.decided.decision).toBe(decision);
    expect(rederive(input)).toEqual({ state: 'reproduced', detail: '' });
  });

  it.each<[string, RederiveInput, string]>([
    ['another decision', changed(inputFor('database.drop', { database: 'shop' }), { decision: 'ALLOW', code: 'allowed' }), 'decision'],
    ['another code', changed(mail(), { code: 'modified' }), 'code'],
    ['another rule', changed(held(), { determining: [{ id: 'other', read: [] }] }), 'rules'],
    ['another value that a rule read', changed(held(), { determining: held().decided.determining.map((rule) => ({ ...rule, read: rule.read.map((one) => ({ ...one, value: 'other' })) })) }), 'read other values'],
    ['another signal', changed(mail(), { signals: [] }), 'signals'],
    ['another alignment', changed(mail(), { alignment: 1 }), 'alignment'],
    ['a lower impact', changed(mail(), { impact: 'low' }), 'impact'],
    ['another action', { ...mail(), action: { tool: 'database', operation: 'drop', parameters: { database: 'shop' } } }, 'was'],
    ['another transformed action', { ...deletion(), transformed: { tool: 'database', operation: 'delete', parameters: { table: 'customers', limit: 10 } } }, 'another one'],
    ['a snapshot with the kill switch on', { ...mail(), snapshot: asJson(snapshotWith({ killed: true })) }, 'decision'],
  ])('a receipt that states %s differs', (_what, input, detail) => {
    const result = rederive(input);
    expect(result.state).toBe('differs');
    expect(result.detail).toContain(detail);
  });

  const grant = (scope: Json, operation: string | null = 'delete') => ({ grant: testId('grant', 1), agent: 'helper', tool: 'database', operation, scope }) as unknown as ReceiptPredicate<'grant_issued'>;
  it('a permit on a grant that does not give what would run differs, and one that gives a and a′ is reproduced', () => {
    expect(rederive({ ...deletion(), grants: [grant({ limit: { lte: 50 } })] }).state).toBe('reproduced');
    for (const other of [grant({ limit: { gte: 50 } }), grant(null, 'update'), grant({ colour: 'red' }), grant('everything')]) {
      expect(rederive({ ...deletion(), grants: [other] })).toMatchObject({ state: 'differs', detail: expect.stringContaining('grant') as string });
    }
  });

  const vectors = { formula: 1, model: 'm', version: 'm-1', scale: { far: 0, near: 500 }, before: null, action: packVector(Int8Array.of(127, 0)), request: packVector(Int8Array.of(127, 127)), request_at: 0 } as const;
  const embedded = (embedding: EmbeddingEvidence, signal = distanceByVectors(embedding)) =>
    inputFor('email.send', { to: ['bob@corp.example'], body: 'Hello' }, { embedding, signals: [signal] });

  it('a semantic distance is computed again from the vectors that were kept, or from the word that there were none', () => {
    expect(rederive(embedded(vectors)).state).toBe('reproduced');
    expect(rederive(embedded({ formula: 1, model: 'm', scale: vectors.scale, before: null, failure: 'late' })).state).toBe('reproduced');
  });

  it.each<[string, EmbeddingEvidence]>([
    ['other vectors give', { ...vectors, action: packVector(Int8Array.of(127, -127)) }],
    ['nothing was measured for', { formula: 1, model: 'm', scale: vectors.scale, before: null, failure: 'late' }],
    ['another scale gives', { ...vectors, scale: { far: 0, near: 900 } }],
    ['another beginning gives', { ...vectors, before: 0 }],
    ['no vectors give', { ...vectors, request: 'AAAA' }],
  ])('a distance that %s differs', (_what, embedding) => {
    expect(rederive(embedded(embedding, distanceByVectors(vectors)))).toMatchObject({ state: 'differs', detail: expect.stringContaining('vectors') as string });
  });

  it('a value that the receipt holds sealed is not compared, every other one is', () => {
    const input = held();
    const seal = { $sealed: 'c'.repeat(64) };
    const determining = input.decided.determining.map((rule) => ({ ...rule, read: rule.read.map((one) => ({ ...one, value: seal })) }));
    expect(rederive(changed(input, { determining })).state).toBe('reproduced');
  });

  it('a denial that a service added is reproduced on the same rules, and a permit never is', () => {
    expect(rederive(changed(held(), { decision: 'DENY', code: 'no_approver' })).state).toBe('reproduced');
    expect(rederive(changed(held(), { decision: 'ALLOW', code: 'no_approver' })).state).toBe('differs');
    expect(rederive(changed(held(), { decision: 'DENY', code: 'denied_by_rule' })).state).toBe('differs');
  });

  it('what another engine decided otherwise cannot be re-derived, and is not called different', () => {
    const input = changed(mail(), { engine_version: 'countersign-engine/0', alignment: 1 });
    expect(rederive(input)).toMatchObject({ state: 'cannot', detail: expect.stringContaining(engineVersion) });
    expect(rederive(input).detail).toMatch(/^Another engine version/);
    expect(rederive(changed(mail(), { engine_version: 'countersign-engine/0' })).state).toBe('reproduced');
    const older = { ...mail(), snapshot: asJson({ ...snapshotWith(), then: 1 }) };
    expect(rederive(changed(older, { engine_version: 'countersign-engine/0' })).detail).toMatch(/^Another engine version/);
    expect(rederive(older).detail).not.toMatch(/engine version/);
  });

  it('what was decided with another table cannot be re-derived; what names the same tables is different', () => {
    const { decided: was } = mail();
    const tables = was.tables.map((table) => ({ ...table, version: table.version + 1 }));
    expect(rederive(changed(mail(), { tables, alignment: 1 }))).toMatchObject({ state: 'cannot', detail: expect.stringMatching(/^Another table/) });
    expect(rederive(changed(mail(), { alignment: 1 })).state).toBe('differs');
    expect(rederive(changed(mail(), { tables: [] })).state).toBe('differs');
  });

  it.each<[string, Partial<RederiveInput>]>([
    ['a policy that does not compile', { policyText: 'rules: [' }],
    ['an action that is none', { action: { tool: 'email' } }],
    ['an action that the catalogue does not know', { action: { tool: 'rocket', operation: 'launch', parameters: {} } }],
    ['a snapshot with an unknown field', { snapshot: asJson({ ...snapshotWith(), more: 1 }) }],
    ['a snapshot that is none', { snapshot: null }],
  ])('%s lets nothing through with this engine, cannot be re-derived otherwise, and nothing throws', (_what, change) => {
    const input = { ...mail(), ...change };
    expect(rederive(input).state).toBe('policyText' in change ? 'cannot' : 'differs');
    expect(rederive(changed(input, { decision: 'DENY' })).state).toBe('cannot');
    expect(rederive(changed(input, { engine_version: 'another' })).state).toBe('cannot');
  });
});
