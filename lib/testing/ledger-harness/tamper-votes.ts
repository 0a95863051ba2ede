import { signVote, voteBytes } from '@/lib/approvals/vote-statement';
import { parseVote } from '@/lib/approvals/parse-vote';
import type { VoteStatement } from '@/lib/approvals/vote';
import { fromUtf8, utf8 } from '@/lib/shared/encoding';
import { keyId } from '@/lib/shared/ids';

import type { TestKey } from '../node-crypto';
import { eventOf, replacing } from './tampering';
import type { ToldLedger } from './teller';

/** The vote as somebody else's key would have signed it, with what they would have said; the receipt says the same. */
export async function revoted(told: ToldLedger, label: string, changes: Partial<VoteStatement>, key: TestKey, more: Readonly<Record<string, unknown>> = {}): Promise<ToldLedger> {
  const event = eventOf(told, label);
  const said = parseVote(utf8(String(event.predicate['statement'])));
  if (!said.ok) throw new Error(said.error.detail);
  const statement: VoteStatement = { ...said.value, ...changes, voter: { ...said.value.voter, ...changes.voter, key: keyId(key.signer.keyId) } };
  const signed = {
    statement: fromUtf8(voteBytes(statement)) ?? '', envelope: await signVote(statement, key.signer), person: statement.voter.person,
    key: { id: statement.voter.key, kind: statement.voter.key_kind }, approval: statement.request, basis_digest: statement.basis_digest,
  };
  return replacing(told, label, [{ ...event, predicate: { ...event.predicate, ...signed, ...more } }]);
}
