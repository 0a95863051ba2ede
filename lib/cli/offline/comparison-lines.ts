import type { Change, Comparison } from '@/lib/policy/compare/comparison';
import { canonicalJson } from '@/lib/shared/canonical-json';

const classWords: Readonly<Record<Comparison['change'], string>> = {
  none: 'Both decide the same about everything.',
  tighten: 'B only tightens.',
  loosen: 'B loosens.',
  mixed: 'B loosens some and tightens other.',
  moved_authority: 'B moves who decides.',
  not_proved: 'What B changes could not be proved; it counts as loosening.',
};

/** What a comparison found, for a person: the class, each change with an action that shows it, and what could not be searched. */
export function comparisonLines({ change, changes, further, unproved, exhaustive, counted }: Comparison): readonly string[] {
  return [
    `${classWords[change]} (${change})`,
    ...changes.flatMap(changeLines),
    ...(further > 0 ? [`and ${String(further)} more changes`] : []),
    ...unproved.map((sentence) => `not proved: ${sentence}`),
    `${exhaustive ? 'Every class that the two tell apart was looked at' : 'A bound stopped the search'}: ${String(counted.classes)} classes of ${String(counted.operations)} operations; ${String(counted.unchanged_operations)} operations are unchanged.`,
  ];
}

function changeLines(change: Change): readonly string[] {
  if (change.of === 'setting') return [`  ${change.effects.join(', ')}: ${change.setting}, ${canonicalJson(change.from)} → ${canonicalJson(change.to)}`];
  const { effects, tool, operation, agents, where, from, to, differences, witness } = change;
  return [
    `  ${effects.join(', ') || 'changes'}: ${tool}.${operation}, ${agents}${where.length === 0 ? '' : `, where ${where.join(' and ')}`}`,
    `      ${from.decision} → ${to.decision}${differences.length === 0 ? '' : ` (${differences.join('; ')})`}`,
    `      shown by ${canonicalJson(witness.action.parameters)}`,
  ];
}
