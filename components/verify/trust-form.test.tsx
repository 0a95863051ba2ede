// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { TrustForm } from './trust-form';
import { VerifyLimits } from './verify-limits';

afterEach(cleanup);

const root = 'ab12'.repeat(16);

function drawn(fingerprint: string | null) {
  const onFingerprint = vi.fn();
  const onKnown = vi.fn();
  render(<TrustForm fingerprint={fingerprint} onFingerprint={onFingerprint} known="" onKnown={onKnown} />);
  return { onFingerprint, onKnown, user: userEvent.setup() };
}

describe('what the reader knows', () => {
  it('takes a fingerprint as people write it, in groups and capitals', async () => {
    const { user, onFingerprint } = drawn(null);
    await user.type(screen.getByLabelText('Fingerprint of the trust root'), root.toUpperCase().replaceAll(/(.{4})/g, '$1 '));
    await user.click(screen.getByRole('button', { name: 'Remember it' }));
    expect(onFingerprint).toHaveBeenCalledExactlyOnceWith(root);
  });

  it('refuses what is no fingerprint, and says what one is', async () => {
    const { user, onFingerprint } = drawn(null);
    await user.type(screen.getByLabelText('Fingerprint of the trust root'), 'ab12');
    await user.click(screen.getByRole('button', { name: 'Remember it' }));
    expect(onFingerprint).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toContain('Sixty-four characters');
  });

  it('is forgotten with one press', async () => {
    const { user, onFingerprint } = drawn(root);
    await user.click(screen.getByRole('button', { name: 'Forget it' }));
    expect(onFingerprint).toHaveBeenCalledExactlyOnceWith(null);
  });

  it('compares with no checkpoint that cannot be read', async () => {
    const { user, onKnown } = drawn(null);
    await user.click(screen.getByText('Checkpoints that you kept'));
    await user.type(screen.getByLabelText('Exported checkpoints or pins'), 'hello');
    await user.click(screen.getByRole('button', { name: 'Compare with these' }));
    expect(onKnown).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toContain('neither a checkpoint nor a pin');
  });
});

it('what a green check does not prove begins with the claim', () => {
  render(<VerifyLimits />);
  const claims = screen.getAllByRole('listitem').map((item) => item.querySelector('b')?.textContent ?? '');
  expect(claims.length).toBeGreaterThan(3);
  expect(claims.filter((claim) => !/^[A-Z].*\.$/.test(claim))).toEqual([]);
});
