import type { ConsoleEvent } from '@/lib/contracts/console/events';

const kinds = ['look', 'action_changed', 'approval_changed', 'session_changed', 'proposal_changed', 'epoch_raised', 'log_grew'];

/** An event of the stream. Whatever cannot be read counts as `look`: something happened, so everything is read again. */
export function parseConsoleEvent(data: unknown): ConsoleEvent {
  try {
    const event: unknown = typeof data === 'string' ? JSON.parse(data) : null;
    if (typeof event === 'object' && event !== null && 'kind' in event && kinds.includes(String(event.kind))) return event as ConsoleEvent;
  } catch {
    return { kind: 'look' };
  }
  return { kind: 'look' };
}
