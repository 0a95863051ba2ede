import { describe, expect, it } from 'vitest';

import { coolOffEndsMs } from './cool-off';

const at = '2030-01-01T00:00:00.000Z';

describe('the cool-off of a change', () => {
  it.each(['loosen', 'mixed', 'moved_authority', 'not_proved'] as const)('runs from the last needed signature for %s', (change) => {
    expect(coolOffEndsMs({ cool_off_seconds: 3600 }, change, at)).toBe(Date.parse('2030-01-01T01:00:00.000Z'));
  });

  it('is none for tightening, and none where the root asks for none', () => {
    expect(coolOffEndsMs({ cool_off_seconds: 3600 }, 'tighten', at)).toBeNull();
    expect(coolOffEndsMs({ cool_off_seconds: 0 }, 'loosen', at)).toBeNull();
  });

  it('never ends where nobody can tell when it began', () => {
    expect(Date.now() >= (coolOffEndsMs({ cool_off_seconds: 1 }, 'loosen', 'some day') ?? 0)).toBe(false);
  });
});
