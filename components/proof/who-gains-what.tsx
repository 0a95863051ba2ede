import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { Change, DecisionChange, SettingChange } from '@/lib/policy/compare/comparison';
import type { PolicyProof } from '@/lib/policy/proof';

import { DecisionMove } from './decision-move';
import { comparisonWords, effectWords, witnessText } from './proof-words';

/** For whom what changes, each with an action that really comes out otherwise. Texts of the proposal stand in it, so nothing of them is believed. */
export function WhoGainsWhat({ comparison }: { readonly comparison: PolicyProof['comparison'] }) {
  const { changes } = comparison;
  return (
    <Section title="Who gains what" note="Computed from the rules, not from anybody’s description">
      {changes.length === 0 ? <p className="meta2">{comparisonWords(comparison)}</p> : (
        <table className="gains">
          <caption className="vh">What changes, for whom, with a witness for each</caption>
          <thead><tr><th scope="col">Who</th><th scope="col">About what</th><th scope="col">Before and after</th><th scope="col">Witness: an action that changes</th></tr></thead>
          <tbody>
            {changes.map((change, index) => <ChangeRow key={index} change={change} />)}
            <tr className="total"><td colSpan={4}>{comparisonWords(comparison)}</td></tr>
          </tbody>
        </table>
      )}
    </Section>
  );
}

const ChangeRow = ({ change }: { readonly change: Change }) => (change.of === 'decision' ? <DecisionRow change={change} /> : <SettingRow change={change} />);

function DecisionRow({ change: { agents, tool, operation, where, from, to, differences, effects, witness } }: { readonly change: DecisionChange }) {
  return (
    <tr>
      <th scope="row">{agents === 'every agent' ? <b>Every agent</b> : <UntrustedText text={agents} />}</th>
      <td>
        <code><UntrustedText text={`${tool}.${operation}`} /></code>
        {where.map((part, index) => <span className="gain-where" key={index}><UntrustedText text={part} /></span>)}
        {effects.includes('loosens') ? null : <span className="meta">{effectWords(effects)}</span>}
      </td>
      <td>
        <DecisionMove from={from.decision} to={to.decision} />
        {from.decision === to.decision ? differences.map((words, index) => <span className="gain-where" key={index}><UntrustedText text={words} /></span>) : null}
      </td>
      <td><code><UntrustedText text={witnessText(witness.action)} /></code></td>
    </tr>
  );
}

function SettingRow({ change: { setting, from, to, effects } }: { readonly change: SettingChange }) {
  return (
    <tr>
      <th scope="row">Setting</th>
      <td><UntrustedText text={setting} />{effects.includes('loosens') ? <span className="flag"><Icon name="caution" small />Loosens</span> : <span className="meta">{effectWords(effects)}</span>}</td>
      <td colSpan={2}><code><UntrustedText text={JSON.stringify(from)} /></code> <span className="then">→</span> <code><UntrustedText text={JSON.stringify(to)} /></code></td>
    </tr>
  );
}
