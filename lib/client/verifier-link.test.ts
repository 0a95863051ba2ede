import { describe, expect, it } from 'vitest';

import { storyFingerprint, wholeStory } from '@/lib/testing/ledger-story';
import { nearWorkers } from '@/lib/testing/near-worker';

import { VerifierLink } from './verifier-link';

const linked = () => {
  const { start, started } = nearWorkers();
  return { link: new VerifierLink(start), workers: started };
};

const checkOf = async (bytes: Uint8Array, base64 = false) => ({ kind: 'check' as const, file: new Blob([bytes.slice()]), base64, trust: { fingerprint: storyFingerprint, known: '' } });

describe('a verifier behind messages', () => {
  it('checks a file, tells how far it is, and then shows what is in it', async () => {
    const { link } = linked();
    const story = await wholeStory();
    const steps = new Set<string>();
    const checked = await link.ask<'check'>(await checkOf(await story.bytes()), ({ step }) => steps.add(step));
    expect(checked.verdict).toBe('verified');
    expect([...steps]).toEqual(['reading', 'rederivation', 'receipts', 'summing_up']);
    const [lines, stories, receipt] = await Promise.all([
      link.ask<'lines'>({ kind: 'lines', from: 0, count: 2, show: 'all' }), link.ask<'stories'>({ kind: 'stories', from: 0, count: 1, show: 'all' }), link.ask<'receipt'>({ kind: 'receipt', index: 3 }),
    ]);
    expect(lines).toMatchObject({ total: story.size, lines: [{ index: 0 }, { index: 1 }] });
    expect(stories.stories).toHaveLength(1);
    expect(receipt?.line.kind).toBe('session_opened');
  });

  it('reads what a report carries in base64; damaged, it is unreadable', async () => {
    const { link } = linked();
    const bytes = await (await wholeStory()).bytes();
    const text = Buffer.from(bytes).toString('base64');
    expect((await link.ask<'check'>(await checkOf(Buffer.from(text), true))).verdict).toBe('verified');
    expect((await link.ask<'check'>(await checkOf(Buffer.from(`${text.slice(0, 40)}!${text.slice(41)}`), true))).verdict).toBe('unreadable');
  });

  it('answers nothing of a bundle that is not open', async () => {
    const { link } = linked();
    await expect(link.ask<'receipt'>({ kind: 'receipt', index: 0 })).rejects.toThrow('No bundle is open');
  });

  it('ended while it works rejects what was asked, and starts anew for the next question', async () => {
    const { link, workers } = linked();
    const bytes = await (await wholeStory()).bytes();
    const asked = link.ask<'check'>(await checkOf(bytes));
    link.close('Stopped.');
    await expect(asked).rejects.toThrow('Stopped.');
    expect(workers[0]?.terminated).toBe(true);
    expect((await link.ask<'check'>(await checkOf(bytes))).verdict).toBe('verified');
    expect(workers).toHaveLength(2);
  });

  it('that cannot be started says why when it is asked', async () => {
    const link = new VerifierLink(() => { throw new Error('Refused by policy.'); });
    link.open();
    await expect(link.ask<'receipt'>({ kind: 'receipt', index: 0 })).rejects.toThrow('Refused by policy.');
  });

  it('that dies says so to everybody who waits', async () => {
    const { link, workers } = linked();
    const asked = link.ask<'lines'>({ kind: 'lines', from: 0, count: 1, show: 'all' });
    workers[0]?.dispatchEvent(Object.assign(new Event('error'), { message: '' }));
    await expect(asked).rejects.toThrow('want of memory');
    expect(link.ready).toBe(false);
  });
});
