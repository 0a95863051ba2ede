import { embeddingFailures, embeddingFormula, type DistanceScale, type EmbeddingEvidence } from '@/lib/context/embedding';
import { provenances, requestAssurances } from '@/lib/context/entry';
import type { ArgumentProvenance, AttributeFact, GuardFinding, Identity, PointAnswer, PriorAction, Signal, Snapshot } from '@/lib/context/snapshot';
import { isJson } from '@/lib/ledger/json-field';
import { effects } from '@/lib/mediate/catalogue';
import type { Json } from '@/lib/shared/json';
import { idOf, isCount, isDigestText, isFlag, isNumber, isText, listOf, namesOf, oneOf, orNull, shape, type Guard } from '@/lib/shared/shape';

/** A stored snapshot, or undefined when it has not the shape that this version's engine reads. */
export const parseSnapshot = (value: Json): Snapshot | undefined => (isSnapshot(value) ? value : undefined);

const isSession = idOf('session');
const texts = listOf(isText);

type Failed = Extract<EmbeddingEvidence, { readonly failure: unknown }>;
type Measured = Exclude<EmbeddingEvidence, Failed>;
const isScale = shape<DistanceScale>({ far: isNumber, near: isNumber });
const asked = {
  formula: oneOf<typeof embeddingFormula>([embeddingFormula]),
  model: isText,
  scale: (value: unknown): value is DistanceScale => isScale(value) && Number.isSafeInteger(value.far) && Number.isSafeInteger(value.near) && value.far < value.near,
  before: orNull(isCount),
};
const isFailed = shape<Failed>({ ...asked, failure: oneOf(embeddingFailures) });
const isMeasured = shape<Measured>({ ...asked, version: isText, action: isText, request: isText, request_at: isCount });

const isSnapshot: Guard<Snapshot> = shape<Snapshot>(
  {
    version: oneOf([1]),
    session: shape<Snapshot['session']>({
      id: isSession, state: oneOf(['open', 'closed', 'expired']), opened_at: isText, assurance: orNull(oneOf(requestAssurances)), head: isDigestText, seq: isCount,
    }),
    identity: shape<Identity>({ human: isText, service: isText, agent: isText, session: isSession, role: isText, scope: texts, delegation: listOf(isSession) }),
    identity_verified: isFlag,
    killed: isFlag,
    requests: orNull(texts),
    intent: orNull(shape<NonNullable<Snapshot['intent']>>({ affirmed: texts, doubtful: texts })),
    prior: shape<Snapshot['prior']>({
      counts: namesOf(isNumber),
      recent: listOf(shape<PriorAction>({
        action: idOf('action'), tool: isText, operation: isText, effect: oneOf(effects), effects: listOf(oneOf(effects)), at: isText, labels: texts, amount: isNumber,
      }, ['effects', 'amount'])),
      total: isCount,
    }),
    labels: texts,
    provenance: listOf(shape<ArgumentProvenance>({ path: isText, source: oneOf(provenances), seq: isCount, where: isText }, ['seq', 'where'])),
    attributes: listOf(shape<AttributeFact>({ subject: isText, name: isText, value: isJson, unavailable: isFlag, source: isText, observed_at: isText })),
    signals: listOf(shape<Signal>({ name: isText, score: orNull(isNumber), weight: isNumber, evidence: isText, missing: isText }, ['missing'])),
    embedding: (value): value is EmbeddingEvidence => isFailed(value) || isMeasured(value),
    guards: listOf(shape<GuardFinding>({ guard: isText, verdict: oneOf(['redact', 'hold', 'block', 'failed']), path: isText, detail: isText })),
    points: listOf(shape<PointAnswer>({ point: isText, answer: oneOf(['permit', 'deny', 'indeterminate', 'fault']), cause: isText, at: isText }, ['at'])),
    grants: texts,
  },
  ['embedding'],
);
