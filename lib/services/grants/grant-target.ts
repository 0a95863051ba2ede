import { statementTypes } from '@/lib/authority/owner-statements';
import { nextProposalState } from '@/lib/authority/proposal';
import { neededGrantSigners } from '@/lib/authority/verify-grant';
import { asJson } from '@/lib/shared/as-json';
import { envelopeText } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { isId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ProposalTarget } from '../proposals/proposal-target';
import { askedGrant, grantProofMethod, grantProofOpen } from './asked-grant';
import { grantRow } from './grant-row';
import { checkGrantTerms } from './grant-terms';
import { issueGrant } from './issue-grant';

/** A grant that somebody asks for. Owners sign the document of the grant itself, byte for byte what was proposed. */
export const grantTarget: ProposalTarget = {
  check: ({ workspace, cryptography }, { text }) => {
    const asked = askedGrant(text, cryptography);
    return asked.ok && asked.value.workspace !== workspace ? fail('grant_invalid', 'The grant is for another workspace.') : asked;
  },
  stands: ({ cryptography }, { text }, inForce, now) => {
    const asked = askedGrant(text, cryptography);
    return asked.ok ? checkGrantTerms(asked.value.terms, inForce, now) : asked;
  },
  runsOutAt: ({ cryptography }, { text }) => {
    const asked = askedGrant(text, cryptography);
    return asked.ok ? asked.value.terms.expires_at : null;
  },
  provesItself: ({ cryptography }, { text }) => {
    const asked = askedGrant(text, cryptography);
    if (!asked.ok) return asked;
    return ok({ change: 'loosen', method: grantProofMethod, open: [grantProofOpen], content: asJson({ target: 'grant', change: 'loosen', method: grantProofMethod, terms: asked.value.terms }) });
  },
  base: () => null,
  neededSigners: neededGrantSigners,
  documents: (_parts, { row }) => [{ payload_type: statementTypes.grant, bytes: utf8(row.text) }],
  apply: async (parts, by, { row, envelopes, signers }) => {
    const { grants } = parts;
    const [envelope] = envelopes;
    if (!envelope) return fail('policy_signature_missing', 'The grant has no signature.');
    if (!grants || by.kind !== 'person' || !isId('person', by.id)) return fail('unavailable', 'Grants are given in the console.', { fix: 'Apply it there.' });
    const person = by.id;
    const asked = askedGrant(row.text, parts.cryptography);
    if (!asked.ok) return asked;
    const inForce = await parts.inForce.refresh();
    const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly revision: null }>> => {
      const { terms } = asked.value;
      const found = await parts.proposals.find(row.id, tx);
      const next = found && nextProposalState(found.state, { kind: 'apply', counted: signers.length, needed: 1 });
      if (!found || !next) return fail('not_found', 'There is no such proposal.');
      if (!next.ok) return next;
      const checked = checkGrantTerms(terms, inForce, now);
      if (!checked.ok) return checked;
      const before = (await grants.find([terms.grant], tx)).get(terms.grant);
      // Owners can sign the same document among the grants; then it is given, or given up, already.
      if (before && (before.issued_at !== null || before.ended_at !== null)) return fail('conflict', 'This grant was given, or given up, already.');
      const text = envelopeText(envelope);
      if (before) await grants.sign(tx, terms.grant, text, now);
      else await grants.add(tx, grantRow(asked.value, text, person, now, true));
      const receipt = await issueGrant({ ...parts, grants }, tx, { signed: asked.value, envelope, by: person, now, proposal: row.id });
      const end = { ended_at: now, ended_by: person, ended_reason: null, ended_receipt: receipt, revision: null, replaced_by: null };
      // Thrown, so that the grant is undone with it.
      if (!(await parts.proposals.move(tx, row.id, found.state, next.value, end))) throw new Error(`Proposal ${row.id} moved on under the lock.`);
      await parts.events.publish(tx, [{ kind: 'proposal_changed', id: row.id }]);
      return ok({ revision: null });
    });
    if (done.ok) await parts.inForce.refresh();
    return done;
  },
};
