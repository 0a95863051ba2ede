import { describe, expect, it } from 'vitest';

import { placeAt } from './place-at';

/** The place at the bar. */
function at(text: string) {
  const offset = text.indexOf('|');
  const place = placeAt(text.replace('|', ''), offset);
  return place && { path: place.path.join('.'), at: place.at, typed: place.typed, flow: place.flow, begins: place.from === offset - place.typed.length };
}

describe('the place of a cursor', () => {
  it.each([
    ['a key of the document', 'id: x\nus|', { path: '', at: 'key', typed: 'us' }],
    ['a key below a key', 'approvals:\n  time|', { path: 'approvals', at: 'key', typed: 'time' }],
    ['an empty line below a key', 'approvals:\n  |', { path: 'approvals', at: 'key', typed: '' }],
    ['a value', 'rules:\n  - id: a\n    action: DE|', { path: 'rules.0.action', at: 'value', typed: 'DE' }],
    ['a key of the second item', 'rules:\n  - id: a\n    action: DENY\n  - id: b\n    act|', { path: 'rules.1', at: 'key', typed: 'act' }],
    ['an item whose dash stands under its key', 'rules:\n- id: a\n- id: b\n  wh|', { path: 'rules.1', at: 'key', typed: 'wh' }],
    ['an item of a list', 'rules:\n  - approvers:\n      - ops\n      - fi|', { path: 'rules.0.approvers.1', at: 'key', typed: 'fi' }],
    ['a key in braces', 'rules:\n  - { id: a, match: { tool: email, op|', { path: 'rules.0.match', at: 'key', typed: 'op', flow: true }],
    ['a value in braces', 'rules:\n  - { id: a, match: { tool: em|', { path: 'rules.0.match.tool', at: 'value', typed: 'em', flow: true }],
    ['an item in brackets', 'approvals: { approvers: [ops, fi|', { path: 'approvals.approvers.1', at: 'value', typed: 'fi', flow: true }],
    ['braces over several lines', 'rules:\n  - id: a\n    context: { user_intent: { contains: [cleanup] },\n               targ|', { path: 'rules.0.context', at: 'key', typed: 'targ', flow: true }],
    ['behind closed braces on a line before', 'rules:\n  - { id: a }\n  - id: b\n    match: { tool: x }\n    act|', { path: 'rules.1', at: 'key', typed: 'act' }],
    ['JSON, with quotes', '{\n  "approvals": { "time|', { path: 'approvals', at: 'key', typed: 'time', flow: true }],
    ['a JSON value', '{ "rules": [{ "id": "a", "action": "DE|', { path: 'rules.0.action', at: 'value', typed: 'DE', flow: true }],
    ['a text with # that is no comment', 'description: a#b\nid|', { path: '', at: 'key', typed: 'id' }],
    ['what follows a block of text', 'description: |>\n'.replace('|', '') + '  words: here\nid|', { path: '', at: 'key', typed: 'id' }],
  ])('is found in %s', (_name, text, wanted) => {
    expect(at(text)).toMatchObject({ ...wanted, begins: true });
  });

  it.each([
    ['in a comment', 'id: x # wri|'],
    ['in a comment line', '# wri|'],
    ['in a block of text', 'description: >\n  words: he|'],
    ['right behind a colon', 'id:|'],
    ['behind a closing quote', '{ "id": "x"|'],
    ['behind closed braces', 'match: { tool: x } |'],
  ])('is none %s', (_name, text) => {
    expect(at(text)).toBeNull();
  });

  it('knows what stands before it in each mapping', () => {
    const text = 'rules:\n  - id: a\n    match:\n      tool: email\n      operation: ';
    expect(placeAt(text, text.length)?.around.at(-1)).toMatchObject({ tool: 'email' });
    const flow = 'rules:\n  - { id: a, match: { tool: email, operation: ';
    expect(placeAt(flow, flow.length)?.around.at(-1)).toMatchObject({ tool: 'email' });
  });
});
