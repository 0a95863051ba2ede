import type { Note } from './lint-finding';
import type { ParsedPolicy } from './parse-policy';

/** Whom rules ask: groups that the roster has, and an escalation that comes before everything is over. */
export function lintPeople({ rules, settings }: ParsedPolicy, groups: readonly string[] | undefined, note: Note): void {
  const fix = 'Name a group of the roster, or add people to it.';
  for (const group of settings.approvals.approvers) {
    if (groups && !groups.includes(group)) note('no_such_group', null, `Nobody belongs to ${group}; what waits for it ends in DENY.`, fix, ['approvals', 'approvers']);
  }
  for (const rule of rules) {
    const { approvers, escalate, timeout_s } = rule.approval;
    for (const group of approvers ?? []) if (groups && !groups.includes(group)) note('no_such_group', rule, `Nobody belongs to ${group}; what waits for it ends in DENY.`, fix, ['approvers']);
    for (const group of escalate?.to ?? []) if (groups && !groups.includes(group)) note('no_such_group', rule, `Nobody belongs to ${group}; what is escalated to it ends in DENY.`, fix, ['escalate']);
    if (escalate && escalate.after_s >= (timeout_s ?? settings.approvals.timeout_s)) {
      note('never_escalates', rule, 'It ends before it is escalated.', 'Let escalate come earlier, or give the rule a longer timeout.', ['escalate', 'after']);
    }
  }
}
