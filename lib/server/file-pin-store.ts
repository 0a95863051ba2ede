import path from 'node:path';

import { parsePin } from '@/lib/authority/parse-pin';
import { pinOfFingerprint, type Pin } from '@/lib/authority/pins';
import type { PinStore } from '@/lib/ports/pin-store';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isDigest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { readIfThere, writeWhole } from './whole-file';

/** Written at set-up: whom to trust. Each process keeps how far it has served in a file of its own beside it. */
export const setUpPin = 'pin.json';

/**
 * Pins in the state directory. `pin.json` says whom to trust and from where; `pin.<role>.json` is how far this process has
 * served. Two processes never write one file, so neither can take the other's progress back.
 */
export function filePinStore(parts: { readonly stateDirectory: string; readonly role: string; readonly rootPin: string | undefined }): PinStore {
  const own = path.join(parts.stateDirectory, `pin.${parts.role}.json`);
  let written = '';
  return {
    read: async () => {
      const base = await readPin(path.join(parts.stateDirectory, setUpPin));
      if (!base.ok) return base;
      const progress = await readPin(own);
      if (!progress.ok) return progress;
      const told = toldPin(parts.rootPin);
      if (!told.ok) return told;
      const known = [told.value, base.value, progress.value].filter((pin) => pin !== undefined);
      if (new Set(known.map((pin) => pin.root_fingerprint)).size > 1) {
        return fail('trust_root_unpinned', 'The pins of this process name different trust roots.', { fix: 'Compare COUNTERSIGN_PIN with the pin files in the state directory.' });
      }
      return ok(progress.value ?? base.value ?? told.value);
    },
    write: async (pin, instead) => {
      const text = canonicalJson({ ...pin });
      if (text === written) return;
      // Two planes on one state directory share this file: the one that looked earlier must not take back how far the other has got.
      const before = await readPin(own);
      const replaced = before.ok && before.value !== undefined && instead !== undefined && canonicalJson({ ...before.value }) === canonicalJson({ ...instead });
      if (before.ok && before.value && !replaced && isAhead(before.value, pin)) return;
      // The first pin of all (set-up, or a told fingerprint that proved right) also says whom the other processes trust.
      const base = path.join(parts.stateDirectory, setUpPin);
      const there = await readPin(base);
      if (there.ok && (there.value === undefined || isLeftOver(there.value, pin))) await writePin(base, pin);
      await writePin(own, pin);
      written = text;
    },
  };
}

/** Under the same root, nothing in it is older than in the other, and something is newer. */
function isAhead(there: Pin, pin: Pin): boolean {
  if (there.root_fingerprint !== pin.root_fingerprint) return false;
  const counts = (one: Pin) => [one.root_version, one.roster_version, one.policy?.revision ?? 0, one.log?.size ?? 0];
  const [theirs, ours] = [counts(there), counts(pin)];
  return theirs.every((count, at) => count >= (ours[at] ?? 0)) && theirs.some((count, at) => count > (ours[at] ?? 0));
}

/** A bare fingerprint that another bare one replaces: the set-up that left it did not commit, and nothing was ever served under it. */
const isLeftOver = (there: Pin, pin: Pin): boolean => isBare(there) && isBare(pin) && there.root_fingerprint !== pin.root_fingerprint;
const isBare = ({ root_version, policy, log }: Pin): boolean => root_version === 0 && policy === null && log === null;

/** Replaces the pin whole: a crash leaves the old or the new one. */
export const writePin = (file: string, pin: Pin): Promise<void> => writeWhole(file, canonicalJson({ ...pin }), 0o600);

async function readPin(file: string): Promise<Result<Pin | undefined>> {
  try {
    const text = await readIfThere(file);
    return text === undefined ? ok(undefined) : parsePin(text);
  } catch (cause) {
    return fail('trust_root_unpinned', `The pin ${path.basename(file)} cannot be read.`, { cause });
  }
}

function toldPin(fingerprint: string | undefined): Result<Pin | undefined> {
  if (fingerprint === undefined) return ok(undefined);
  return isDigest(fingerprint)
    ? ok(pinOfFingerprint(fingerprint))
    : fail('trust_root_unpinned', 'COUNTERSIGN_PIN is not a SHA-256 in lower-case hex.', { fix: 'Set it to the fingerprint that set-up printed.' });
}
