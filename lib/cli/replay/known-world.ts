/** What a deployment knows of one suite before any agent works in it. Addresses and accounts in lower case. */
export type KnownWorld = {
  /** The person that agents work for; null where the environment names none. */
  readonly human: string | null;
  readonly own: ReadonlySet<string>;
  readonly domain: string | null;
  readonly contacts: ReadonlySet<string>;
  readonly payees: ReadonlySet<string>;
  /** Owner by id of the file. */
  readonly fileOwners: ReadonlyMap<string, string>;
};
