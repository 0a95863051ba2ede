// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { useShortcuts } from './use-shortcuts';

afterEach(cleanup);

function page(inside: React.ReactNode) {
  const pressed = { d: vi.fn(), Enter: vi.fn() };
  function Page() {
    useShortcuts(pressed);
    return <main tabIndex={-1}>{inside}</main>;
  }
  render(<Page />);
  return pressed;
}

describe('a single key', () => {
  it('does what it is for, in either case', () => {
    const pressed = page(null);
    fireEvent.keyDown(screen.getByRole('main'), { key: 'd' });
    fireEvent.keyDown(screen.getByRole('main'), { key: 'D', shiftKey: true });
    fireEvent.keyDown(screen.getByRole('main'), { key: 'Enter' });
    expect(pressed.d).toHaveBeenCalledTimes(2);
    expect(pressed.Enter).toHaveBeenCalledTimes(1);
  });

  it('is left alone while somebody types, and with a modifier', () => {
    const pressed = page(<input aria-label="Filter" />);
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'd' });
    fireEvent.keyDown(screen.getByRole('main'), { key: 'd', ctrlKey: true });
    expect(pressed.d).not.toHaveBeenCalled();
  });

  it('is left alone while a dialog is open', () => {
    const pressed = page(<div role="dialog" aria-label="Deny" />);
    fireEvent.keyDown(screen.getByRole('main'), { key: 'd' });
    expect(pressed.d).not.toHaveBeenCalled();
  });

  it('Enter presses the button that has the focus, other keys go past it', () => {
    const pressed = page(<button type="button">Enrol</button>);
    const unprevented = fireEvent.keyDown(screen.getByRole('button'), { key: 'Enter' });
    fireEvent.keyDown(screen.getByRole('button'), { key: 'd' });
    expect(unprevented).toBe(true);
    expect(pressed.Enter).not.toHaveBeenCalled();
    expect(pressed.d).toHaveBeenCalledTimes(1);
  });
});
