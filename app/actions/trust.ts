'use server';

import { announceRecoveryInput, cancelRecoveryInput, completeRecoveryInput, prepareTrustChangeInput, signTrustChangeInput, withdrawCeremonyInput } from '@/lib/contracts/console/trust';
import { defineAction } from '@/lib/server/define-action';
import { announceRecovery as announce } from '@/lib/services/console/announce-recovery';
import { cancelRecovery as cancel } from '@/lib/services/console/cancel-recovery';
import { completeRecovery as complete } from '@/lib/services/console/complete-recovery';
import { prepareTrustChange as prepare } from '@/lib/services/console/prepare-trust-change';
import { signTrustChange as sign } from '@/lib/services/console/sign-trust-change';
import { withdrawCeremony as withdraw } from '@/lib/services/console/withdraw-ceremony';

export const prepareTrustChange = defineAction({
  permission: 'trust_root.sign',
  input: prepareTrustChangeInput,
  handler: ({ parts }, { change }) => prepare(parts, change),
});

export const signTrustChange = defineAction({
  permission: 'trust_root.sign',
  input: signTrustChangeInput,
  handler: ({ parts, viewer }, input) => sign(parts, viewer.person, input),
});

export const withdrawCeremony = defineAction({
  permission: 'roster.sign',
  input: withdrawCeremonyInput,
  handler: ({ parts }, { digest }) => withdraw(parts, digest),
});

export const cancelRecovery = defineAction({
  permission: 'trust_root.sign',
  input: cancelRecoveryInput,
  handler: ({ parts, viewer }, { digest }) => cancel(parts, viewer.person, digest),
});

/** The recovery key's signature is what counts; the owner's session says who holds it, so that a stolen code alone announces nothing from here. */
export const announceRecovery = defineAction({
  permission: 'trust_root.sign',
  input: announceRecoveryInput,
  handler: ({ parts, viewer }, input) => announce(parts, viewer.person, input),
});

export const completeRecovery = defineAction({
  permission: 'trust_root.sign',
  input: completeRecoveryInput,
  handler: ({ parts, viewer }, input) => complete(parts, viewer.person, input),
});
