// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button } from '@/components/ui/button';

afterEach(cleanup);

describe('a gated button', () => {
  it('says what is left instead of its own words, and can still be reached', async () => {
    render(<Button kind="primary" gatedBy="1 check left">Approve and sign</Button>);
    await userEvent.tab();
    const button = screen.getByRole('button', { name: '1 check left' });
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByText('Approve and sign')).toBeNull();
  });

  it.each([{ gatedBy: '1 check left' }, { offBecause: 'Reconnecting' }])('swallows every press: %o', async (look) => {
    const press = vi.fn();
    render(<Button {...look} onClick={press}>Approve and sign</Button>);
    await userEvent.click(screen.getByRole('button'));
    screen.getByRole('button').focus();
    await userEvent.keyboard('{Enter} ');
    expect(press).not.toHaveBeenCalled();
  });

  it('never submits its form', async () => {
    const submit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    render(<form onSubmit={submit}><Button type="submit" gatedBy="2 checks left">Sign</Button></form>);
    await userEvent.click(screen.getByRole('button'));
    expect(submit).not.toHaveBeenCalled();
  });

  it('works once nothing is left', async () => {
    const press = vi.fn();
    render(<Button gatedBy={undefined} hint="A" onClick={press}>Approve and sign</Button>);
    await userEvent.click(screen.getByRole('button', { name: 'Approve and sign' }));
    expect(press).toHaveBeenCalledOnce();
    expect(screen.getByRole('button').getAttribute('aria-keyshortcuts')).toBe('A');
  });
});
