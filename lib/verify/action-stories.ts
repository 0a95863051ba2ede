import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { ActionId } from '@/lib/shared/ids';

import type { Entry } from './parse-entries';
import type { ReceiptLines } from './receipt-lines';
import type { Pairing } from './report';

/** What became of one action, from its receipts alone. Texts are as recorded, so untrusted. */
export type ActionStory = {
  readonly action: ActionId;
  /** Position of its first receipt in the bundle. */
  readonly index: number;
  readonly at: string;
  readonly operation: string | null;
  readonly agent: string | null;
  /** On whose behalf. */
  readonly human: string | null;
  /** The first decision, or null when it is not in the bundle. */
  readonly decision: string | null;
  readonly reason: string | null;
  readonly rules: readonly string[];
  readonly votes: readonly { readonly person: string; readonly verdict: string; readonly index: number }[];
  /** People needed; null when nobody was asked. */
  readonly quorum: number | null;
  readonly permit: 'none' | 'issued' | 'redeemed' | 'refused';
  readonly outcome: string | null;
  readonly pairing: Pairing;
  readonly receipts: readonly number[];
};

type Steps = { readonly index: number; readonly body: ReceiptBody }[];

/** One story an action, in the order of their first receipts. */
export function actionStories(entries: readonly Entry[], pairing: readonly Pairing[], lines: ReceiptLines): readonly ActionStory[] {
  const steps = new Map<ActionId, Steps>();
  for (const { index, body } of entries) {
    if (!body || !('action' in body.predicate)) continue;
    const { id } = body.predicate.action;
    const known = steps.get(id);
    if (known) known.push({ index, body });
    else steps.set(id, [{ index, body }]);
  }
  return pairing.flatMap((paired) => {
    const own = steps.get(paired.action);
    return own ? [storyOf(paired, own, lines)] : [];
  });
}

function storyOf(pairing: Pairing, steps: Steps, lines: ReceiptLines): ActionStory {
  const [first] = steps;
  const decisions = steps.flatMap(({ body }) => (body.kind === 'action_decided' ? [body.predicate] : []));
  const requests = steps.flatMap(({ body }) => (body.kind === 'approval_requested' ? [body.predicate] : []));
  const [decided] = decisions;
  return {
    action: pairing.action,
    index: first?.index ?? pairing.index,
    at: first?.body.predicate.at ?? '',
    operation: decided ? `${decided.tool}.${decided.operation}` : null,
    agent: decided?.identity.agent ?? null,
    human: decided?.identity.human ?? null,
    decision: decided?.decision ?? null,
    reason: decided?.reason ?? null,
    rules: decided?.determining.map(({ id }) => id) ?? [],
    votes: steps.flatMap(({ index, body }) => (body.kind === 'approval_voted' ? [{ index, person: lines.nameOf(body.predicate.person), verdict: body.predicate.verdict }] : [])),
    quorum: requests.at(-1)?.quorum ?? null,
    permit: permitOf(steps),
    outcome: steps.flatMap(({ body }) => (body.kind === 'outcome_reported' ? [body.predicate.status] : [])).at(-1) ?? null,
    pairing,
    receipts: steps.map(({ index }) => index),
  };
}

function permitOf(steps: Steps): ActionStory['permit'] {
  const has = (kind: ReceiptBody['kind']) => steps.some(({ body }) => body.kind === kind);
  if (has('permit_redeemed')) return 'redeemed';
  if (has('permit_refused')) return 'refused';
  const issued = has('permit_issued') || steps.some(({ body }) => body.kind === 'action_decided' && body.predicate.permit !== undefined);
  return issued ? 'issued' : 'none';
}
