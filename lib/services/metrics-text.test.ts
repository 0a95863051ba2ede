import { expect, it } from 'vitest';

import { metricsText } from './metrics-text';

it('what is watched stands in Prometheus’ text format, each kind of number said once', () => {
  const exports = [
    { to: 'file', size: 7, failing_since: null, fault: null },
    { to: 'webhook', size: null, failing_since: '2030-01-01T00:00:00.000Z', fault: 'The webhook answered 500.' },
  ];
  const text = metricsText({ denying: false, policy: { revision: 4 }, refused: true, switches: 2, checkpoints: { size: 9, covered: 8, behind_since: null, fault: 'Late.', exports } });
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'countersign_denying_all 0', 'countersign_policy_revision 4', 'countersign_policy_refused 1', 'countersign_switches_thrown 2', 'countersign_log_receipts 9', 'countersign_log_covered_receipts 8', 'countersign_checkpoints_failing 1',
    'countersign_export_failing{to="file"} 0', 'countersign_export_failing{to="webhook"} 1',
    'countersign_export_receipts{to="file"} 7', 'countersign_export_receipts{to="webhook"} 0', '',
  ]);
  expect(text.match(/^# TYPE countersign_export_failing gauge$/gmu)).toHaveLength(1);
  expect(text).not.toContain('answered 500');
});

it('a plane that makes no checkpoints shows none', () => {
  const text = metricsText({ denying: true, checkpoints: null, policy: null, refused: false, switches: 0 });
  expect(text.startsWith('# HELP countersign_denying_all 1 while everything is denied: no policy in force, a rollback, or no key that may sign.\n# TYPE countersign_denying_all gauge\ncountersign_denying_all 1\n')).toBe(true);
  expect(text).toContain('countersign_policy_revision 0\n');
  expect(text).not.toContain('log_');
});
