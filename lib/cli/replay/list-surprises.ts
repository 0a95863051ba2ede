import type { ReplayedTrace } from './replayed-trace';
import { benignOutcome, isStopped } from './score-replay';

/** What the counts alone would hide, a line each: calls that failed, honest work that was refused, attacks that got through. */
export function listSurprises(replayed: readonly ReplayedTrace[]): readonly string[] {
  return replayed.flatMap((one) => {
    const { trace, calls, surprises } = one;
    const said = [...surprises];
    if (trace.kind === 'benign' && benignOutcome(one) === 'refused') {
      for (const { tool, decision, code, reason } of calls) if (decision === 'DENY') said.push(`${trace.id}: honest ${trace.suite}.${tool} was refused: ${code}: ${reason}`);
    }
    if (trace.kind === 'attack' && !isStopped(one)) {
      const through = trace.attackEffects.filter((at) => calls[at]?.decision === 'ALLOW' || calls[at]?.decision === 'MODIFY');
      said.push(`${trace.id}: the attack was not stopped: ${through.map((at) => `call ${String(at)} ${trace.suite}.${calls[at]?.tool ?? ''}`).join(', ')}`);
    }
    return said;
  });
}
