import { expect, it } from 'vitest';

import { keysOfEvent } from './keys-of-event';
import { parseConsoleEvent } from './parse-console-event';

it.each([['not json'], ['{"kind":"unheard_of"}'], ['null'], [undefined], [12]])('what cannot be read (%j) has everything read again', (data) => {
  expect(keysOfEvent(parseConsoleEvent(data))).toBeNull();
});

it('a changed approval has its lists and itself read again, and not the other details', () => {
  expect(keysOfEvent(parseConsoleEvent('{"kind":"approval_changed","id":"apr_1"}'))).toEqual([['approvals', 'queue'], ['approvals', 'one', 'apr_1'], ['overview']]);
});
