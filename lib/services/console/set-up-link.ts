import { digestOf, utf8, type Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { Ids } from '@/lib/ports/ids';
import type { PeopleStore } from '@/lib/ports/people-store';
import type { Transactor } from '@/lib/ports/transaction';
import type { SetUpState } from '@/lib/contracts/console/set-up';

type LinkParts = {
  readonly ids: Ids;
  readonly sha256: Sha256;
  readonly people: PeopleStore;
  readonly authority: AuthorityStore;
  readonly transactor: Transactor;
};

const lifeMs = 24 * 3600_000;

export const linkDigest = (sha256: Sha256, link: string): string => digestOf(sha256, utf8(link));

/** A fresh one-time token for the set-up page; the database keeps its hash. `set_up_done` once a trust root exists. */
export async function issueSetUpLink(parts: LinkParts): Promise<Result<{ readonly token: string; readonly expires_at: string }>> {
  const token = parts.ids.token('setup');
  return await parts.transactor.withHead(async (tx, { now }) => {
    if ((await parts.authority.trustRoots(tx)).length > 0) return alreadyDone();
    const expires_at = new Date(Date.parse(now) + lifeMs).toISOString();
    await parts.people.addSetUpLink(tx, linkDigest(parts.sha256, token), expires_at);
    return ok({ token, expires_at });
  });
}

/** Whether the token opens set-up now. Failures: `set_up_done`, `set_up_link_invalid` (never issued, used, or out of date: one answer). */
export async function checkSetUpLink(
  parts: Pick<LinkParts, 'people' | 'authority' | 'sha256'>,
  token: string,
  now: string,
): Promise<Result<{ readonly digest: string }>> {
  if ((await parts.authority.trustRoots()).length > 0) return alreadyDone();
  const digest = linkDigest(parts.sha256, token);
  const link = await parts.people.findSetUpLink(digest);
  return link && link.used_at === null && link.expires_at > now ? ok({ digest }) : invalidLink();
}

export async function setUpState(parts: Pick<LinkParts, 'people' | 'authority' | 'sha256'>, token: string, now: string): Promise<SetUpState> {
  const checked = await checkSetUpLink(parts, token, now);
  if (checked.ok) return { state: 'open' };
  return { state: checked.error.code === 'set_up_done' ? 'done' : 'link_invalid' };
}

export const alreadyDone = () => fail('set_up_done', 'This workspace has its owner already.', { fix: 'Sign in instead.' });

export const invalidLink = () =>
  fail('set_up_link_invalid', 'This set-up link was not issued here, was used, or is over a day old.', { fix: 'Start Countersign again: it prints a new link.' });
