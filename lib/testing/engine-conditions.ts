import { signalNames } from '@/lib/engine/signal-names';

/**
 * Conditions as an author writes them, by what they are asked of: each kind of field with every operator that it takes, over the
 * few values that generated actions and contexts hold. The loader refuses those that point the wrong way for a rule.
 */
export type Conditions = Readonly<Record<string, readonly unknown[]>>;

type Words = { readonly values: readonly [string, string]; readonly part: string; readonly prefix: string; readonly pattern: string };

/** Every operator of a text. */
const text = ({ values, part, prefix, pattern }: Words): readonly unknown[] => [
  values[0], [...values], { eq: values[1] }, { not: values[0] }, { in: [values[0]] }, { not_in: [...values] }, { contains: part }, { contains: [part, 'nothing'] },
  { contains_all: [part, prefix] }, { matches: pattern }, { starts_with: prefix }, { not: { starts_with: prefix } }, { not: { contains: part } }, { exists: true }, { exists: false },
];

/** Every operator of a number. */
const number = (low: number, high: number): readonly unknown[] => [
  low, { eq: high }, { not: low }, { in: [low, high] }, { not_in: [low] }, { lt: high }, { lte: low }, { gt: low }, { gte: high }, { gt: low, lt: high }, { exists: true }, { exists: false },
];

export const parameterConditions: Conditions = {
  note: text({ values: ['x', 'a secret'], part: 'secret', prefix: 'reply', pattern: '^re' }),
  limit: number(1, 3),
  amount: number(10, 500),
  to: [...text({ values: ['bob@corp.example', 'eve@mail.example'], part: 'bob@corp.example', prefix: 'bob', pattern: '@corp' }), { domain_in: ['corp.example'] }, { not: { domain_in: ['corp.example'] } }, { external: true }, { external: false }],
  path: [...text({ values: ['/srv/data/a', '/srv/data-old/b'], part: 'data', prefix: '/srv/data', pattern: 'old' }), { within: '/srv' }, { within: ['/srv/data', '/tmp'] }, { not: { within: '/srv' } }],
  command: text({ values: ['rm', 'git'], part: 'ls', prefix: 'git log', pattern: '-rf' }),
  url: [...text({ values: ['https://docs.example/a', 'https://evil.example/x'], part: 'docs', prefix: 'https://docs.example/', pattern: 'evil' }), { domain_in: ['docs.example'] }, { external: true }],
  query: text({ values: ['customers', 'orders'], part: 'customers', prefix: 'cust', pattern: '^orders$' }),
  table: text({ values: ['test_data', 'customers'], part: 'test', prefix: 'test', pattern: '^cust' }),
  tags: [{ contains: 'a' }, { contains_all: ['a', 'b'] }, { in: ['a'] }, { not_in: ['b'] }, { not: { contains: 'b' } }, { exists: true }],
  'where.owner': ['ada', { not: 'ada' }, { in: ['ada', 'eve'] }, { exists: false }, { lt: 5 }],
};

export const identityConditions: Conditions = {
  human: ['ada@corp.example', { not: 'ada@corp.example' }, { domain_in: ['corp.example'] }, { matches: '^eve' }],
  service: ['helpdesk', { in: ['helpdesk', 'other'] }, { not_in: ['helpdesk'] }],
  agent: ['agent-1', { starts_with: 'agent-' }, { exists: true }],
  session: [{ starts_with: 'ses_' }, { eq: 'ses_0000000000000000000000' }, { eq: 'ses_other' }],
  role: ['assistant', { not: 'assistant' }, { in: ['robot'] }],
  delegation: [{ contains: 'ses_1111111111111111111111' }, { exists: false }],
  scope: [{ contains: 'mail' }, { contains_all: ['mail', 'gold'] }, { not: { contains: 'gold' } }],
};

const risks = (name: string): Conditions => ({ [name]: [{ gt: 0.4 }, { gte: 0.6 }, { lt: 0.4 }, { lte: 0.25 }] });

const each = (conditions: Conditions): readonly unknown[] => Object.entries(conditions).flatMap(([name, list]) => list.map((condition) => ({ [name]: condition })));

export const contextConditions: Conditions = {
  prior_actions: [['lab.see'], { contains: ['lab.see', 'lab.send'] }, { contains_all: ['lab.see', 'lab.act'] }, { not: { contains: ['lab.act'] } }],
  data_classification: [
    { contains: ['PII'] }, { contains: 'CONFIDENTIAL' }, { contains_all: ['PII', 'SECRET'] }, { not: { contains: ['PII', 'RESTRICTED'] } }, { not: { contains_all: ['PII', 'SECRET'] } },
    { lte: 'INTERNAL' }, { lt: 'CONFIDENTIAL' }, { gte: 'CONFIDENTIAL' }, { gt: 'INTERNAL' }, { higher_than: 'INTERNAL' },
  ],
  user_intent: [{ contains: ['delete', 'send'] }, { contains_all: ['delete', 'send'] }, { not: { contains: ['delete'] } }, ['send']],
  target_ownership: [{ owned_by: 'requesting_user' }, { not: { owned_by: 'requesting_user' } }, { owned_by: 'eve@corp.example' }, { domain_in: ['corp.example'] }, { exists: true }, { in: ['ada@corp.example'] }, { not: 'eve@corp.example' }],
  recipient: [
    { external: true }, { external: false }, { domain_in: ['corp.example'] }, { not_in: ['bob@corp.example'] }, 'bob@corp.example', { starts_with: 'eve' }, { exists: false },
    { attributes: { directory: { in: ['staff'] } } }, { external: true, attributes: { directory: { not: 'staff' } } },
  ],
  provenance: [
    { note: { in: ['untrusted_output', 'nowhere'] } }, { '*': ['nowhere'] }, { to: { in: ['request', 'person'] } }, { limit: { not_in: ['nowhere', 'untrusted output', 'policy'] } },
    { note: 'nowhere' }, { '*': { not: 'nowhere' } }, { note: { not: 'request' } }, { table: { contains: ['request'] } }, { note: { exists: true } },
  ],
  attributes: [
    { criticality: { in: ['high'] } }, { criticality: { not: 'high' } }, { criticality: 'low' }, { criticality: { exists: true } }, { criticality: { contains: ['high'] } },
    { 'effect.count': { gt: 100 } }, { 'effect.count': { lte: 100 } }, { owner: { owned_by: 'requesting_user' } },
  ],
  count: [{ tool: 'lab', gt: 1, within: '10m' }, { effect: 'read', gte: 2 }, { tool: 'lab', operation: 'see', label: 'PII', gt: 0 }, { lt: 3, within: '1h' }, { lte: 1 }, { eq: 2 }],
  volume: [{ gt: 2, within: '1h' }, { tool: 'lab', lte: 4 }, { of: 'amounts', gt: 100 }, { of: 'amounts', effect: 'write', lte: 400, within: '1h' }],
  velocity: [{ gt: 1, within: '10m' }, { effect: 'write', lt: 2, within: '1h' }],
  elapsed: [{ gt: '20m' }, { lt: '10m' }, { gte: '30m' }, { lte: '1h' }],
  sequence: [
    { steps: [{ tool: 'lab', operation: 'see', label: 'PII' }, { tool: 'lab' }], within: '1h' },
    { steps: [{ effect: 'read' }, { effect: 'write' }, { tool: 'lab' }] },
    { steps: [{ tool: 'lab', operation: 'act' }, { label: 'SECRET', effect: 'communicate' }], within: '30m' },
  ],
  time_window: [
    { zone: 'Europe/Berlin', days: ['mon-fri'], from: '08:00', to: '18:00' }, { not: { zone: 'Europe/Berlin', days: ['mon-fri'], from: '08:00', to: '18:00' } },
    [{ zone: 'UTC', days: ['sat'] }, { zone: 'Asia/Tokyo', from: '22:00', to: '06:00' }], { zone: 'America/New_York', dates: ['2030-06-03'] },
  ],
  risk_signals: each(Object.assign({}, ...signalNames.map(risks)) as Conditions),
};

/** Expressions of `when`, over the action alone and over the context too. */
export const expressions: readonly string[] = [
  'parameters.limit <= 2', 'parameters.limit > 1 && parameters.limit < 4', 'parameters.amount >= 500', '!has(parameters.note)', 'has(parameters.to)', 'parameters.note == "x" || parameters.limit == 3',
  'parameters.note != "x"', 'parameters.path.startsWith("/srv/data")', 'parameters.note.contains("secret")', 'parameters.note.matches("^re")', '"a" in parameters.tags', 'parameters.table in ["test_data"]',
  'identity.role == "assistant" && parameters.limit > 1', 'identity.human != "ada@corp.example"', '"mail" in identity.scope', 'tool == "lab" && operation != "see"', 'effect == "write"',
  'impact in ["high", "critical"]', 'target == "lab:test_data"', '"PII" in context.labels', '!("PII" in context.labels)', 'context.owner == "ada@corp.example"',
  'context.attributes.criticality != "high" && parameters.limit < 3', '"delete" in context.user_intent', '"lab.see" in context.prior_actions', 'context.provenance.note == "nowhere"',
  'context.risk_signals.volume > 0.5', 'context.recipients.attributes.directory == "staff"', '!(parameters.limit > 2 && identity.role == "robot")',
  'parameters.amount > parameters.limit', '!(parameters.limit >= parameters.amount)', 'context.owner == identity.human', 'parameters.note != parameters.table', 'context.attributes.criticality == parameters.note',
];
