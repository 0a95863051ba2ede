import { isLoosening, type Rule } from '@/lib/engine/rule';
import type { DecisionKind } from '@/lib/mediate/catalogue';

import type { Diagnostics, Path } from './diagnostics';
import type { RuleDocument } from './document-schema';

/** Keys that mean something for some actions only. Elsewhere they would be ignored, so they are refused. */
const forActions: Readonly<Partial<Record<keyof RuleDocument, readonly DecisionKind[]>>> = {
  approvers: ['STEP_UP', 'DEFER'], all_groups: ['STEP_UP', 'DEFER'], quorum: ['STEP_UP', 'DEFER'], escalate: ['STEP_UP'],
  timeout: ['STEP_UP', 'DEFER'], context_needed: ['DEFER'], modify: ['MODIFY'], obligations: ['ALLOW', 'MODIFY', 'STEP_UP'],
};

export function checkShape(raw: RuleDocument, rule: Rule, path: Path, diagnostics: Diagnostics): void {
  for (const [key, actions] of Object.entries(forActions)) {
    if (Object.hasOwn(raw, key) && !actions.includes(raw.action)) diagnostics.add([...path, key], `${key} means nothing for ${raw.action}.`, `It belongs to ${actions.join(' or ')}.`);
  }
  if (raw.action === 'MODIFY' && !raw.modify) diagnostics.add([...path, 'action'], 'A MODIFY says what it changes.', 'Add modify: [{ cap: parameters.limit, at: 100 }].');
  if (raw.action === 'DEFER' && !raw.approvers && (raw.quorum !== undefined || raw.all_groups !== undefined)) {
    diagnostics.add([...path, raw.quorum === undefined ? 'all_groups' : 'quorum'], 'A DEFER asks people only when it names them.', 'Add approvers: the groups that decide when its time is over.');
  }
  if (raw.opaque !== undefined && rule.classification !== 'forbidden') diagnostics.add([...path, 'opaque'], 'opaque belongs to forbidden rules.', 'Remove it, or state classification: forbidden.');
  const named = raw.match && (raw.match.tool !== undefined || raw.match.operation !== undefined || raw.match.effect !== undefined);
  if (isLoosening(rule) && !named) diagnostics.add([...path, 'match'], 'A rule that allows names what it allows.', 'Add match: { tool: …, operation: … }; tool: "*" when you mean everything.');
  if (!raw.match && !raw.context && raw.when === undefined) diagnostics.add(path, 'A rule says what it matches.', 'Add match: { tool: … }.');
}
