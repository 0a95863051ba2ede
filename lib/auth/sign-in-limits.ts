/** Tells whether another try may be made, and counts the ones that failed. */
export type SignInLimits = {
  readonly mayTry: (email: string, address: string, nowMs: number) => boolean;
  readonly failed: (email: string, address: string, nowMs: number) => void;
  /** The try that was counted as failed beforehand got in. */
  readonly succeeded: (email: string, address: string) => void;
};

const windowMs = 15 * 60_000;
/** From one address to one account, and to one account from anywhere: an address header can be made up, an account cannot. */
const perPair = 10;
const perEmail = 50;
/** Counters kept at most: guessing at a million accounts must not fill the memory. */
const maxCounters = 20_000;

type Counter = { count: number; readonly since: number };

/** In memory, per process: it slows guessing down and is not what keeps a password safe. */
export function signInLimits(): SignInLimits {
  const counters = new Map<string, Counter>();
  const keys = (email: string, address: string) => [[`p ${email} ${address}`, perPair], [`e ${email}`, perEmail]] as const;

  const live = (key: string, nowMs: number): Counter | undefined => {
    const counter = counters.get(key);
    return counter && nowMs - counter.since < windowMs ? counter : undefined;
  };

  return {
    mayTry: (email, address, nowMs) => keys(email, address).every(([key, limit]) => (live(key, nowMs)?.count ?? 0) < limit),
    failed: (email, address, nowMs) => {
      for (const [key] of keys(email, address)) {
        const counter = live(key, nowMs);
        if (counter) counter.count += 1;
        else {
          counters.delete(key);
          counters.set(key, { count: 1, since: nowMs });
        }
      }
      // Oldest first: a Map iterates in the order of insertion.
      for (const key of counters.keys()) {
        if (counters.size <= maxCounters) break;
        counters.delete(key);
      }
    },
    succeeded: (email, address) => {
      counters.delete(`p ${email} ${address}`);
      const account = counters.get(`e ${email}`);
      if (account && account.count > 0) account.count -= 1;
    },
  };
}
