// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { storyFingerprint, wholeStory } from '@/lib/testing/ledger-story';
import { nearWorkers } from '@/lib/testing/near-worker';

import { useVerifier } from './use-verifier';

afterEach(cleanup);

let file: Blob;
const trust = { fingerprint: storyFingerprint, known: '' };

beforeAll(async () => {
  file = new Blob([(await (await wholeStory()).bytes()).slice()]);
});

function hook() {
  const { start, started } = nearWorkers();
  return { started, ...renderHook(() => useVerifier(start)) };
}

describe('a page’s verifier', () => {
  it('is ready before any file is chosen, so that nothing needs loading then', async () => {
    const { result } = hook();
    await waitFor(() => expect(result.current.ready).toBe(true));
    expect(result.current.state.kind).toBe('idle');
  });

  it('checks a file to its verdict', async () => {
    const { result } = hook();
    await act(() => result.current.check({ file, name: 'a' }, trust));
    expect(result.current.state).toMatchObject({ kind: 'done', name: 'a', checked: { verdict: 'verified' } });
  });

  it('stopped shows nothing of what it was doing, and works again', async () => {
    const { result, started } = hook();
    let checking: Promise<void> = Promise.resolve();
    act(() => { checking = result.current.check({ file, name: 'a' }, trust); });
    expect(result.current.state.kind).toBe('checking');
    act(() => result.current.stop());
    await act(() => checking);
    expect(result.current.state.kind).toBe('idle');
    expect(started[0]?.terminated).toBe(true);
    await act(() => result.current.check({ file, name: 'b' }, trust));
    expect(result.current.state).toMatchObject({ kind: 'done', name: 'b' });
  });

  it('given another file while it works answers for that one only', async () => {
    const { result } = hook();
    let first: Promise<void> = Promise.resolve();
    act(() => { first = result.current.check({ file, name: 'a' }, trust); });
    await act(() => result.current.check({ file: new Blob(['{}']), name: 'b' }, trust));
    await act(() => first);
    expect(result.current.state).toMatchObject({ kind: 'done', name: 'b', checked: { verdict: 'unreadable' } });
  });

  it('that cannot work says so and that nothing was found out', async () => {
    const { result } = hook();
    await act(() => result.current.check({ file, name: 'a' }, { fingerprint: '', known: 'nonsense' }));
    expect(result.current.state).toMatchObject({ kind: 'refused', why: expect.stringContaining('neither a checkpoint nor a pin') });
  });
});
