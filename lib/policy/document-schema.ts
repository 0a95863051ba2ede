import { z } from 'zod';

import { decisionKinds, effects, impacts, parameterRoles, parameterTypes } from '@/lib/mediate/catalogue';
import { classifications } from '@/lib/engine/decision';
import { labelLevels } from '@/lib/engine/label-levels';
import { bounds } from '@/lib/shared/bounds';
import { factTypes } from '@/lib/shared/fact-type';

import { durationPattern, parseDuration } from './parse-duration';
import { withFix } from './zod-diagnostics';

const name = z.string().min(1).max(bounds.nameLength).meta({ id: 'name' });
const names = z.array(name).min(1).max(100).meta({ id: 'names' });
const label = z.string().regex(/^[A-Z][A-Z0-9_]{0,39}$/, withFix('A label is written in capitals.', 'Write it like PII.')).meta({ id: 'label' });

/** Text such as `30m`, turned into seconds. */
export const duration = z.string().meta({ id: 'duration', pattern: durationPattern, examples: ['90s', '10m', '1h30m', '2d'] }).transform((text, context) => {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds;
  context.addIssue({ code: 'custom', message: withFix('This is no time, or one over 30 days.', 'Write it like 90s, 10m, 1h30m or 2d.') });
  return z.NEVER;
});

const thousandths = z.number().min(0).max(1).transform((share) => Math.round(share * 1000));
const count = z.int().min(1).max(1_000_000);

/** A baseline has no changes to make, and a MODIFY that changes nothing counts as ALLOW: who means that writes it. */
const baseline = z.enum(decisionKinds).exclude(['MODIFY'], {
  error: ({ input }) => (input === 'MODIFY' ? withFix('A MODIFY says what it changes, and there is no room for that here.', 'Write ALLOW or STEP_UP, and a rule that makes the change.') : undefined),
});

const parameter = z.strictObject({
  type: z.enum(parameterTypes), items: z.enum(parameterTypes).optional(), optional: z.boolean().optional(), nullable: z.boolean().optional(),
  scalar_or_array: z.boolean().optional(), role: z.enum(parameterRoles).optional(), sensitive: z.boolean().optional(),
});

export const toolSchema = z.strictObject({
  name, effect: z.enum(effects).optional(), impact: z.enum(impacts).optional(), decision: baseline.optional(),
  grant: z.enum(['required', 'none']).optional(), trusted: z.boolean().optional(), open: z.boolean().optional(),
  parameters: z.record(name, parameter).optional(),
  labels: z.array(z.strictObject({ reads: name, add: z.array(label).min(1).max(20) })).max(100).optional(),
});

/** Everything but the rules, which are read one by one so that a fault in one does not hide those in the others. */
export const documentSchema = z.strictObject({
  schema: z.literal('countersign/policy/v1'),
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, withFix('An id is lower-case letters, digits, dot, dash or underscore, at most 64.', 'Write it like production.')),
  use: z.string().regex(/^[a-z]+@\d+ sha256:[0-9a-f]{64}$/, withFix('The catalogue is named by version and digest.', 'Write it like stock@1 sha256:<64 hex digits>.')),
  description: z.string().max(4096).optional(),
  defaults: z.strictObject({ decision: baseline.default('DENY'), unclassified: z.enum(labelLevels).default('RESTRICTED') }).prefault({}),
  confidence: z.strictObject({ high: thousandths.prefault(0.75), low: thousandths.prefault(0.4), defer_below: thousandths.prefault(0.5) })
    .refine(({ high, low }) => low <= high, withFix('low is above high, so nothing would be of medium confidence.', 'Write a low that is at most high.')).prefault({}),
  approvals: z.strictObject({
    approvers: names.prefault(['approver']), timeout: duration.prefault('30m'), quorum: z.int().min(1).max(20).prefault(1),
    separation: z.enum(['required', 'off']).prefault('required'),
  }).prefault({}),
  deferrals: z.strictObject({ timeout: duration.prefault('5m'), depth: z.int().min(1).max(20).prefault(3) }).prefault({}),
  permits: z.strictObject({ ttl: duration.prefault('60s'), after_approval: duration.prefault('10m'), outcome: duration.prefault('15m') }).prefault({}),
  sessions: z.strictObject({ ttl: duration.prefault('24h'), idle: duration.prefault('8h') }).prefault({}),
  limits: z.strictObject({
    held_per_session: count.prefault(20), held_per_agent: count.prefault(50), held_per_human: count.prefault(100), new_per_minute: count.prefault(30),
  }).prefault({}),
  information: z.record(name, z.strictObject({
    from: z.array(z.string().regex(/^(?:requester|(?:ip|orchestrator|pep|group):[A-Za-z0-9][A-Za-z0-9._-]{0,63})$/, withFix('A source is ip:, orchestrator:, pep: or group: with its name, or requester.', 'Write it like ip:records.'))).min(1).max(20),
    max_age: duration.optional(),
    type: z.enum(factTypes).optional(),
  })).prefault({}),
  directory: z.strictObject({
    internal_domains: z.array(z.string().regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, withFix('A domain is written in lower case, without @ and scheme.', 'Write it like corp.example.'))).min(1).max(1000).optional(),
  }).prefault({}),
  tools: z.array(toolSchema).max(2000).prefault([]),
  rules: z.array(z.unknown()).max(bounds.policyRules, withFix(`At most ${String(bounds.policyRules)} rules.`, 'Join rules that differ in one value, with a list of values.')).prefault([]),
});

export type PolicyDocument = z.output<typeof documentSchema>;

const modification = z.union([
  z.strictObject({ set: name, to: z.json() }),
  z.strictObject({ cap: name, at: z.number() }),
  z.strictObject({ drop: name }),
  z.strictObject({ restrict: name, to: z.union([name, names]) }),
  z.strictObject({ redact: name, what: z.union([z.enum(['PII', 'SECRET', 'FINANCIAL', 'ALL']), z.array(z.enum(['PII', 'SECRET', 'FINANCIAL', 'ALL'])).min(1)]) }),
  z.strictObject({ add_filter: name, and: z.string().min(1).max(1000) }),
]);

export const ruleSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, withFix('An id is letters, digits, dot, dash or underscore, at most 100.', 'Write it like no-large-payments.')),
  match: z.strictObject({
    tool: z.union([name, names]).optional(), operation: z.union([name, names]).optional(),
    effect: z.union([z.enum(effects), z.array(z.enum(effects)).min(1)]).optional(),
    parameters: z.record(name, z.json()).optional(), identity: z.record(name, z.json()).optional(),
  }).optional(),
  context: z.record(name, z.json()).optional(),
  when: z.string().min(1).max(2000).optional(),
  action: z.enum(decisionKinds),
  classification: z.enum(classifications).optional(),
  reason: z.string().min(1).max(bounds.reasonText).optional(),
  guidance: z.string().min(1).max(bounds.reasonText).optional(),
  priority: z.int().min(-1_000_000).max(1_000_000).optional(),
  approvers: names.optional(), all_groups: z.boolean().optional(), quorum: z.int().min(1).max(20).optional(), timeout: duration.optional(),
  escalate: z.strictObject({ to: names, after: duration }).optional(),
  modify: z.array(modification).min(1).max(50).optional(),
  context_needed: names.optional(),
  obligations: z.strictObject({
    sandbox: name.optional(), redact_output: z.array(label).min(1).optional(),
    rate: z.strictObject({ max: count, within: duration }).optional(),
  }).optional(),
  opaque: z.enum(['DENY', 'STEP_UP']).optional(),
});

export type RuleDocument = z.output<typeof ruleSchema>;
