import { describe, expect, it } from 'vitest';

import { pinSchema } from '@/lib/authority/pins';
import { toHex } from '@/lib/shared/encoding';
import { wholeStory } from '@/lib/testing/ledger-story';

import { checkBundle } from './check-bundle';
import { readKnownHeads } from './known-heads';

const digest = 'a'.repeat(64);
const pin = (size: number, root: string) => JSON.stringify({ schema: pinSchema, root_fingerprint: digest, root_version: 1, policy: null, roster_version: 1, log: { size, root } });

describe('checkpoints that a reader kept', () => {
  it('are read one after another, one a line as JSON, and as pins', async () => {
    const { checkpoints, size } = await wholeStory();
    const sizes = (text: string) => readKnownHeads(text).heads.map((head) => head.size);
    const expected = checkpoints.map((note) => Number(note.split('\n')[1]));
    expect(expected).toHaveLength(2);
    expect(sizes(checkpoints.join(''))).toEqual(expected);
    expect(sizes(checkpoints.join('\n'))).toEqual(expected);
    expect(sizes(checkpoints.join('').replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(sizes(checkpoints.map((note) => JSON.stringify(note)).join('\n'))).toEqual(expected);
    expect(sizes(pin(size, digest))).toEqual([size]);
    expect(sizes('  \n')).toEqual([]);
  });

  it.each(['hello', '{}', '[]', 'null', '"a"', 'origin\n-1\nAAAA\n\n— a b\n'])('%j is refused, not passed over', (text) => {
    expect(readKnownHeads(text).fault).not.toBeNull();
  });

  it('show a cut tail, another history, and agree with the log they are of', async () => {
    const story = await wholeStory();
    const bytes = await story.bytes();
    const verdict = async (known: string, file = bytes) => (await checkBundle(file, { fingerprint: '', known })).checked.checks.find(({ id }) => id === 'consistency')?.state;
    expect(await verdict(story.checkpoints.join(''))).toBe('pass');
    expect(await verdict(pin(story.size, digest))).toBe('fail');
    expect(await verdict(pin(story.size + 1, digest))).toBe('fail');
    expect(await verdict(pin(story.size, toHex(story.root(story.size))))).toBe('pass');
  });

  it('that cannot be read stop the check: leaving them out would weaken it', async () => {
    await expect(checkBundle(await (await wholeStory()).bytes(), { fingerprint: '', known: 'hello' })).rejects.toThrow('neither a checkpoint nor a pin');
  });
});
