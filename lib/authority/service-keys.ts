import type { ServiceKey, ServiceRole, TrustRoot } from './trust-root';

/** The service key with this id, when the root delegates receipts at this log position to it. */
export const serviceKeyAt = (root: TrustRoot, keyId: string, index: number): ServiceKey | undefined =>
  root.services.find(({ key, from, to }) => key.id === keyId && from <= index && (to === undefined || index <= to));

/** Keys that hold a role at this log position: only the plane's sign checkpoints and permits. */
export const serviceKeysOf = (root: TrustRoot, role: ServiceRole, index: number): readonly ServiceKey[] =>
  root.services.filter((service) => service.role === role && service.from <= index && (service.to === undefined || index <= service.to));
