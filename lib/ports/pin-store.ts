import type { Pin } from '@/lib/authority/pins';
import type { Result } from '@/lib/shared/result';

/** The highest this process has served, outside the database. A pin that cannot be read is a failure, never "none". */
export type PinStore = {
  /** Undefined: none was ever written. */
  readonly read: () => Promise<Result<Pin | undefined>>;
  /**
   * Atomic and durable before it returns. A pin never moves back, with one exception: `instead` names the pin, exactly, in whose
   * place an owner has accepted an older one.
   */
  readonly write: (pin: Pin, instead?: Pin) => Promise<void>;
};
