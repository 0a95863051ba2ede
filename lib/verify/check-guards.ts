import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';

import { knowsAllBefore, type EventEvidence } from './event-evidence';
import { ofKind } from './parse-entries';
import { failed, passed, unknown, type Check } from './report';

/** A guard's finding names a request, message, action or output that the same session has recorded. */
export function checkGuards(evidence: EventEvidence): Check {
  const { entries, closed } = evidence;
  const recorded = new Set(entries.flatMap(({ body }) => (body ? textsOf(body) : [])));
  const findings = ofKind(entries, 'guard_finding');
  const stray = findings.find(({ predicate }) => !recorded.has(key(predicate.what, predicate.session, predicate.content_digest)));
  if (stray && closed && knowsAllBefore(evidence, stray.index)) return failed('guards', `A guard found something in ${articles[stray.predicate.what]} that the session never recorded.`, stray.index);
  if (stray) return unknown('guards', 'What a guard inspected is not among the receipts of the bundle.');
  return passed('guards', findings.length === 1 ? 'One finding.' : `${findings.length} findings.`);
}

const articles = { request: 'a request', message: 'a message', action: 'an action', output: 'an output' } as const;

const key = (what: string, session: string, digest: string): string => `${what} ${session} ${digest}`;

function textsOf({ kind, predicate }: ReceiptBody): readonly string[] {
  switch (kind) {
    case 'session_opened':
      return predicate.request_digest === undefined ? [] : [key('request', predicate.session, predicate.request_digest)];
    case 'message_recorded':
      return [key('message', predicate.session, predicate.message_digest)];
    case 'action_decided':
      return [key('action', predicate.identity.session, predicate.action.digest)];
    case 'outcome_reported':
      return predicate.output_digest === undefined ? [] : [key('output', predicate.session, predicate.output_digest)];
    default:
      return [];
  }
}
