'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { DecisionChip } from '@/components/ui/decision-chip';
import { Field, Input, Select, TextArea } from '@/components/ui/field';
import type { DeskOperation, DeskTool, PolicyTextAsked } from '@/lib/client/policy-desk-messages';
import type { PolicyLink } from '@/lib/client/policy-link';

import { givenText, type GivenFields } from './given-text';
import { SimulatedDecision } from './simulated-decision';

interface SimulatePanelProps {
  readonly link: PolicyLink;
  readonly draft: PolicyTextAsked;
  readonly inForce: (PolicyTextAsked & { readonly revision: number }) | null;
  readonly tools: readonly DeskTool[];
  readonly agents: readonly string[];
}

/** One call, decided by the draft and by the policy in force, side by side. Nothing is recorded and nothing runs. */
export function SimulatePanel({ link, draft, inForce, tools, agents }: SimulatePanelProps) {
  const [toolName, setTool] = useState('email');
  const [operationName, setOperation] = useState('send');
  const [parameters, setParameters] = useState<string | null>(null);
  const [given, setGiven] = useState<GivenFields>({ request: '', labels: '', agent: '', more: '' });
  const tool = tools.find(({ name }) => name === toolName) ?? tools[0];
  const operation = tool?.operations.find(({ name }) => name === operationName) ?? tool?.operations[0];
  const written = parameters ?? (operation === undefined ? '{}' : exampleOf(operation));
  const asking = useMutation({
    mutationFn: () => link.ask('simulate', { kind: 'simulate', draft, inForce: inForce && { text: inForce.text, format: inForce.format }, call: { tool: tool?.name ?? '', operation: operation?.name ?? '', parameters: written, given: givenText(given) } }),
  });
  const { asked, draft: decided, inForce: before } = asking.data ?? { asked: null, draft: null, inForce: null };
  return (
    <form className="simulate" onSubmit={(event) => { event.preventDefault(); asking.mutate(); }}>
      <div className="simulate-call">
        <Field label="Tool">{(control) => <Select {...control} value={tool?.name ?? ''} onChange={({ target }) => { setTool(target.value); setParameters(null); }}>{tools.map(({ name }) => <option key={name}>{name}</option>)}</Select>}</Field>
        <Field label="Operation">{(control) => <Select {...control} value={operation?.name ?? ''} onChange={({ target }) => { setOperation(target.value); setParameters(null); }}>{tool?.operations.map(({ name }) => <option key={name}>{name}</option>)}</Select>}</Field>
      </div>
      {operation === undefined ? null : <p className="meta">{operation.effect}, {operation.impact} impact</p>}
      <Field label="Arguments (JSON)">{(control) => <TextArea {...control} className="mono" rows={Math.min(12, written.split('\n').length + 1)} spellCheck={false} value={written} onChange={({ target }) => setParameters(target.value)} />}</Field>
      <Field label="The user’s request" hint="Left out: no request is recorded.">{(control) => <TextArea {...control} rows={2} value={given.request} onChange={({ target }) => setGiven({ ...given, request: target.value })} />}</Field>
      <Field label="Labels that the session has read" hint="Separated by commas: CONFIDENTIAL, PII">{(control) => <Input {...control} value={given.labels} onChange={({ target }) => setGiven({ ...given, labels: target.value })} />}</Field>
      <Field label="Agent’s role">{(control) => <Input {...control} list="agents-known" placeholder="assistant" value={given.agent} onChange={({ target }) => setGiven({ ...given, agent: target.value })} />}</Field>
      <datalist id="agents-known">{agents.map((name) => <option key={name} value={name} />)}</datalist>
      <Field label="More of the context (YAML)" hint="As under given in a test: prior, attributes, provenance, risk, alignment, at …">{(control) => <TextArea {...control} className="mono" rows={3} spellCheck={false} value={given.more} onChange={({ target }) => setGiven({ ...given, more: target.value })} />}</Field>
      <div className="panel-tools"><Button type="submit" offBecause={asking.isPending ? 'Deciding' : tool === undefined ? 'Reading the catalogue' : undefined}>Decide</Button><span className="meta">Nothing is recorded, nothing runs.</span></div>
      {asking.error === null ? null : <Band tone="deny" icon="stale" role="alert" title="The call could not be decided.">{asking.error.message}</Band>}
      {asked === null ? null : (
        <Band tone="warn" role="alert" title={asked.detail}>{asked.issues.map(({ path, message, fix, line, column }) => `${line === undefined ? '' : `${line}:${column ?? 1} `}${path === '' ? '' : `${path}: `}${message}${fix === undefined ? '' : ` ${fix}`}`).join(' ')} {asked.fix}</Band>
      )}
      {decided?.state === 'decided' && before?.state === 'decided' ? (
        <p className="decided-change" role="status"><DecisionChip decision={before.decision.decision} /> in force, {before.decision.decision === decided.decision.decision ? 'and' : <b>but</b>} <DecisionChip decision={decided.decision.decision} /> by your draft</p>
      ) : null}
      <div className="decided-beside">
        {decided === null ? null : <SimulatedDecision title="Your draft" result={decided} />}
        {inForce === null || before === null ? null : <SimulatedDecision title={`In force, r${inForce.revision}`} result={before} />}
      </div>
    </form>
  );
}

const examples: Readonly<Record<string, unknown>> = { string: '', number: 1, integer: 1, boolean: false, object: {}, array: [], any: null };
const byRole: Readonly<Record<string, unknown>> = { recipients: 'ana@harbor.example', path: 'notes/today.txt', url: 'https://example.com/', command: 'ls', query: 'SELECT 1', amount: 100 };

/** Every argument that is needed, with a value of its type to change. */
function exampleOf({ parameters }: DeskOperation): string {
  const needed = parameters.filter(({ optional }) => !optional);
  return JSON.stringify(Object.fromEntries(needed.map(({ name, type, role }) => [name, (role === null ? undefined : byRole[role]) ?? examples[type] ?? ''])), null, 2);
}
