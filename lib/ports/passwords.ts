/** Slow, salted hashes of passwords. Each call costs tens of milliseconds on purpose, whether or not the person exists. */
export type Passwords = {
  readonly hash: (password: string) => Promise<string>;
  /** With `null` (nobody, or nobody with a password) it takes as long and is false. Never throws on an unreadable hash: false. */
  readonly verify: (password: string, stored: string | null) => Promise<boolean>;
};
