import type { TrustView } from '@/lib/contracts/console/trust';
import { fail, ok, type Result } from '@/lib/shared/result';

/** Refuses a key that is not the recovery key of the trust root in force, and says which key it is as far as this root can tell. `signature_invalid`. */
export function judgeRecoveryKey({ root, former_recovery_keys, fingerprint }: Pick<TrustView, 'root' | 'former_recovery_keys' | 'fingerprint'>, keyId: string): Result<null> {
  if (keyId === root.recovery.key.id) return ok(null);
  const former = former_recovery_keys.find(({ id }) => id === keyId);
  if (former) return fail('signature_invalid', `This recovery key was replaced: trust root ${String(former.until)} was the last to list it.`, { fix: 'Use the newer one, made when it was replaced.' });
  if (root.owners.some(({ key }) => key.id === keyId)) return fail('signature_invalid', 'This is an owner’s key, not the recovery key.', { fix: 'It signs as it is: sign with it where the console asks, or change the owners under Trust.' });
  return fail('signature_invalid', 'This key belongs to another Countersign.', { fix: `The file that set-up saved for this one is called countersign-recovery-${fingerprint.slice(0, 8)}…pem.` });
}
