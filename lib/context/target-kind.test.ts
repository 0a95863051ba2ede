import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { describe, expect, test } from 'vitest';

import { extendCatalogue } from '@/lib/mediate/extend';
import { mediate } from '@/lib/mediate/mediate';
import { stockCatalogue } from '@/lib/mediate/stock';
import type { JsonObject } from '@/lib/shared/json';
import { attribute, evidence, stateAfter } from '@/lib/testing/context-builders';

import { takeSnapshot } from './take-snapshot';
import { plainTargetOf } from './target-kind';

const target = { type: 'string', role: 'target' } as const;
const extended = extendCatalogue(stockCatalogue(nobleSha256), [
  { name: 'office.read_file', effect: 'read', impact: 'low', parameters: { file_id: target } },
  { name: 'office.delete_file', effect: 'destructive', impact: 'high', parameters: { file_id: target } },
  { name: 'office.cancel_event', effect: 'destructive', impact: 'high', parameters: { event_id: target } },
  { name: 'twins.drop_a', effect: 'destructive', impact: 'high', parameters: { a: target } },
  { name: 'twins.drop_b', effect: 'destructive', impact: 'high', parameters: { b: target } },
]);
if (!extended.ok) throw new Error(extended.error.detail);
const catalogue = extended.value;

const ownerOf = (tool: string, operation: string, parameters: JsonObject, ...said: readonly (readonly [subject: string, owner: string])[]) => {
  const action = mediate({ tool, operation, parameters }, catalogue);
  if (!action.ok) throw new Error(action.error.detail);
  const state = stateAfter(...said.map(([subject, owner]) => attribute(subject, 'owner', owner)));
  const { attributes } = takeSnapshot(state, action.value, evidence({ plainTarget: plainTargetOf(catalogue, tool) }));
  return attributes.map(({ subject, value }) => [subject, value]);
};

describe('one reference for two things loosens nothing about the other one', () => {
  test('what most operations of the tool take is meant', () => {
    expect(plainTargetOf(catalogue, 'office')).toBe('file_id');
    expect(plainTargetOf(catalogue, 'database')).toBe('table');
    expect(plainTargetOf(catalogue, 'twins')).toBeNull();
    expect(plainTargetOf(catalogue, 'nothing')).toBeNull();
  });

  test.each<[string, string, string, JsonObject, readonly (readonly [string, string])[], unknown]>([
    ['a file by the plain reference', 'office', 'delete_file', { file_id: '5' }, [['office:5', 'mia']], [['office:5', 'mia']]],
    ['an event is not the file of that number', 'office', 'cancel_event', { event_id: '5' }, [['office:5', 'mia']], []],
    ['an event by its own kind', 'office', 'cancel_event', { event_id: '5' }, [['office:5', 'mia'], ['office/event_id:5', 'eve']], [['office:5', 'eve']]],
    ['a file by its own kind, which counts before the plain one', 'office', 'delete_file', { file_id: '5' }, [['office:5', 'mia'], ['office/file_id:5', 'eve']], [['office:5', 'eve']]],
    ['neither of two kinds that are as common', 'twins', 'drop_a', { a: '5' }, [['twins:5', 'mia']], []],
    ['a table', 'database', 'delete', { table: 'orders' }, [['database:orders', 'mia']], [['database:orders', 'mia']]],
    ['a database is not the table of that name', 'database', 'drop', { database: 'orders' }, [['database:orders', 'mia']], []],
  ])('%s', (_, tool, operation, parameters, said, wanted) => {
    expect(ownerOf(tool, operation, parameters, ...said)).toEqual(wanted);
  });

  test('what nobody may say of the one kind does not hide what is said of the plain reference', () => {
    const action = mediate({ tool: 'office', operation: 'delete_file', parameters: { file_id: '5' } }, catalogue);
    if (!action.ok) throw new Error(action.error.detail);
    const state = stateAfter(attribute('office:5', 'owner', 'eve'), attribute('office/file_id:5', 'owner', 'mia', 'orchestrator:desk'));
    expect(takeSnapshot(state, action.value, evidence({ plainTarget: 'file_id' })).attributes).toMatchObject([{ subject: 'office:5', value: 'eve' }]);
  });
});
