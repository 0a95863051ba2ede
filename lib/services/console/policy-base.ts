import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { InForce } from '@/lib/services/in-force';

/** The class of a change is not proved here yet, so every one asks for the signatures of loosening. */
export const unproved = 'not_proved';

/** What the next revision is written on; null when nothing is in force. */
export const inForceReference = ({ policy }: InForce): RevisionReference | null => policy && { revision: policy.revision, digest: policy.digest };
