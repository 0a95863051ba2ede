import { Band } from '@/components/ui/band';
import { DecisionChip } from '@/components/ui/decision-chip';
import type { SimulatedText } from '@/lib/client/policy-desk-messages';

/** One decision with what led to it: as `countersign policy explain` says it. */
export function SimulatedDecision({ title, result }: { readonly title: string; readonly result: SimulatedText }) {
  if (result.state === 'refused') {
    return (
      <section className="decided" aria-label={title}>
        <h3>{title}</h3>
        <Band tone="warn" title={result.by === 'policy' ? 'This policy does not load.' : 'Refused before any rule was read.'}>{result.refusal.detail} {result.refusal.fix} <code>{result.refusal.code}</code></Band>
      </section>
    );
  }
  const { decision, lines, rules, changes } = result;
  const deciding = new Set(decision.determining.map(({ id }) => id));
  return (
    <section className="decided" aria-label={title}>
      <h3>{title}</h3>
      <p className="decided-what"><DecisionChip decision={decision.decision} variant="chip" /> <code className="t3">{decision.code}</code></p>
      <p>{decision.reason}</p>
      {lines.map((line) => <p className="meta2" key={line}>{line}</p>)}
      <dl className="decided-facts">
        <div><dt>Kind</dt><dd>{decision.classification.replaceAll('_', ' ')}, {decision.impact} impact</dd></div>
        <div><dt>Baseline</dt><dd><DecisionChip decision={decision.baseline.decision} /> from {decision.baseline.from}</dd></div>
        <div><dt>Alignment</dt><dd>{share(decision.alignment)}, known {share(decision.evaluability)}</dd></div>
      </dl>
      <details open={rules.length < 6}>
        <summary className="link">{rules.length === 0 ? 'No rule names this operation' : `${rules.length.toLocaleString('en')} ${rules.length === 1 ? 'rule names' : 'rules name'} this operation`}</summary>
        <ul className="decided-rules">
          {rules.map((rule) => (
            <li key={rule.id}>
              <p><code>{rule.id}</code> <DecisionChip decision={rule.action} /> <span className="t3">{rule.truth}{deciding.has(rule.id) ? '' : ', did not decide'}</span>{deciding.has(rule.id) ? <b> decided</b> : null}</p>
              {rule.conditions.map(({ depth, truth, says, read }, at) => <p className="meta" key={at} data-depth={Math.min(depth, 4)}>{truth}: {says}{read === null ? '' : `; read ${read}`}</p>)}
              {rule.missing.map((field) => <p className="meta" key={field}>missing: {field}</p>)}
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary className="link">{changes.length === 0 ? 'No single rule or fact would change it' : 'What would change it'}</summary>
        <ul>{changes.map((change) => <li className="meta2" key={change.if}>{change.if}: <DecisionChip decision={change.decision} /> <code className="t3">{change.code}</code></li>)}</ul>
      </details>
    </section>
  );
}

/** Thousandths as people write them. */
const share = (thousandths: number | null): string => (thousandths === null ? 'not measured' : String(thousandths / 1000));
