import type { SeenRecovery } from '@/lib/ports/recovery-memory';

/** Two memories as one: of each announcement the earlier sight stays, and what was cancelled stays cancelled. */
export function joinedRecoveries(kept: readonly SeenRecovery[], more: readonly SeenRecovery[]): readonly SeenRecovery[] {
  const all = new Map<string, SeenRecovery>();
  for (const one of [...kept, ...more]) {
    const key = `${String(one.index)} ${one.digest}`;
    const known = all.get(key);
    all.set(key, known ? { ...known, seen_at: known.seen_at < one.seen_at ? known.seen_at : one.seen_at, cancelled: known.cancelled || one.cancelled } : one);
  }
  return [...all.values()].sort((a, b) => a.index - b.index);
}
