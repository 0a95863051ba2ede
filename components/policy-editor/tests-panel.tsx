'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { DecisionChip } from '@/components/ui/decision-chip';
import { FilePick } from '@/components/ui/file-pick';
import { Icon } from '@/components/ui/icon';
import type { PolicyTextAsked, TestedText } from '@/lib/client/policy-desk-messages';
import type { PolicyLink } from '@/lib/client/policy-link';

import { CodePane, type CodeHandle } from './code-pane';
import { ProblemsPanel, problemWords } from './problems-panel';
import type { CheckState } from './use-policy-desk';

interface TestsPanelProps {
  readonly link: PolicyLink;
  readonly policy: PolicyTextAsked;
  readonly tests: string;
  readonly check: CheckState;
  readonly onChange: (tests: string) => void;
}

const firstCase = `tests:
  - name: what this policy should say
    action: { tool: email, operation: send, parameters: { to: ana@harbor.example, subject: Hello, body: Hello } }
    given: { request: Send Ana an e-mail, labels: [] }
    expect: { decision: STEP_UP }
`;

/** The cases beside the policy: edited here, decided here by the draft, and saved with it. */
export function TestsPanel({ link, policy, tests, check, onChange }: TestsPanelProps) {
  const [handle, setHandle] = useState<CodeHandle | null>(null);
  const running = useMutation({ mutationFn: async () => ({ of: { policy, tests }, result: await link.ask('test', { kind: 'test', ...policy, tests }) }) });
  const problems = check.checked?.tests ?? [];
  const stale = running.data !== undefined && (running.data.of.tests !== tests || running.data.of.policy.text !== policy.text);
  return (
    <div className="tests-panel">
      <div className="panel-tools">
        <Button small onClick={() => running.mutate()} gatedBy={tests.trim() === '' ? 'No cases yet' : undefined} offBecause={running.isPending ? 'Running' : undefined} icon={<Icon name="check" small />}>Run the tests</Button>
        {tests.trim() === '' ? <Button small kind="plain" onClick={() => handle?.replace(firstCase)}>Begin with a case</Button> : null}
        <FilePick label="Load NAME.test.yaml" accept=".yaml,.yml,text/*" onPick={(file) => void file.text().then((text) => handle?.replace(text))} />
      </div>
      <div className="tests-code"><CodePane label="Cases that the policy should decide, as YAML" initial={tests} format="yaml" problems={problems} original={null} help={null} onChange={onChange} handle={setHandle} /></div>
      {problems.length === 0 ? null : <ProblemsPanel check={check} problems={problems} what="The cases" onGo={(place) => handle?.goTo(place)} />}
      {running.error === null ? null : <Band tone="deny" icon="stale" role="alert" title="The tests could not be run.">{running.error.message}</Band>}
      {running.data === undefined ? null : <Results result={running.data.result} stale={stale} problems={problemWords(problems)} onGo={(place) => handle?.goTo(place)} />}
    </div>
  );
}

interface ResultsProps {
  readonly result: TestedText;
  readonly stale: boolean;
  readonly problems: string;
  readonly onGo: (place: { readonly line: number; readonly column: number }) => void;
}

function Results({ result: { cases, fault }, stale, problems, onGo }: ResultsProps) {
  if (fault !== null) return <Band tone="warn" title={fault === 'policy' ? 'The policy does not load yet.' : 'The cases cannot be read yet.'}>No case was decided. {fault === 'tests' ? problems : null}</Band>;
  const passed = cases.filter((one) => one.passed).length;
  return (
    <>
      <p className="meta2 pad" role="status"><b>{passed.toLocaleString('en')} of {cases.length.toLocaleString('en')} as expected.</b>{stale ? ' Policy or cases were changed since.' : null}</p>
      <ul className="problems cases">
        {cases.map((one, index) => (
          <li key={index} data-severity={one.passed ? 'passed' : 'error'}>
            <button type="button" onClick={() => onGo(one)}>
              <span className="problem-at"><Icon name={one.passed ? 'check' : 'cross'} small label={one.passed ? 'As expected' : 'Comes out differently'} /><span className="vh">Go to </span>{one.line}:{one.column}</span>
              <span>{one.name} {one.wrong.map((difference, at) => <span className="case-wrong" key={at}>{difference}</span>)}</span>
              {one.decision === null ? <span /> : <DecisionChip decision={one.decision} />}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
