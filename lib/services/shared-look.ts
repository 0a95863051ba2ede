/**
 * One look at a time. `again` looks from after the call on: a look that is under way may have read already what changed since, so those who
 * come meanwhile share the one that follows it. `now` takes the one that is under way, too.
 */
export function sharedLook<Seen>(look: () => Promise<Seen>): { readonly again: () => Promise<Seen>; readonly now: () => Promise<Seen> } {
  let looking: Promise<Seen> | undefined;
  let following: Promise<Seen> | undefined;
  const again = (): Promise<Seen> => {
    if (looking) return (following ??= looking.then(done, done).then(() => ((following = undefined), again())));
    return (looking = look().finally(() => (looking = undefined)));
  };
  return { again, now: () => looking ?? again() };
}

const done = (): void => undefined;
