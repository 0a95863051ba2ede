import { Button } from '@/components/ui/button';
import { Field, Input, Select } from '@/components/ui/field';

import { scopeOperators, type ScopeOperator, type ScopeRow } from './grant-draft';

const words: { readonly [O in ScopeOperator]: string } = {
  eq: 'is', in: 'is one of', lte: 'is at most', gte: 'is at least', starts_with: 'starts with', within: 'lies within', domain_in: 'has a domain of', matches: 'matches',
};
const isOperator = (value: string): value is ScopeOperator => scopeOperators.some((operator) => operator === value);

interface ScopeFieldsProps {
  readonly rows: readonly ScopeRow[];
  readonly parameters: readonly string[];
  readonly issue: (path: string) => string | undefined;
  readonly onChange: (rows: readonly ScopeRow[]) => void;
}

/** Limits on arguments, one a row. All of them have to hold. */
export function ScopeFields({ rows, parameters, issue, onChange }: ScopeFieldsProps) {
  const set = (at: number, part: Partial<ScopeRow>) => onChange(rows.map((row, i) => (i === at ? { ...row, ...part } : row)));
  return (
    <fieldset className="scope">
      <legend>Limits on arguments</legend>
      {rows.length === 0 ? <p className="meta">None: any arguments are covered. Policy still decides about each action.</p> : null}
      {rows.map((row, at) => (
        <div key={at} className="scope-row">
          <Field label="Argument" error={issue(row.parameter)}>
            {(control) => <Select {...control} value={row.parameter} onChange={(event) => set(at, { parameter: event.target.value })}>{parameters.map((name) => <option key={name} value={name}>{name}</option>)}</Select>}
          </Field>
          <Field label="Has to">
            {(control) => <Select {...control} value={row.operator} onChange={(event) => { if (isOperator(event.target.value)) set(at, { operator: event.target.value }); }}>{scopeOperators.map((operator) => <option key={operator} value={operator}>{words[operator]}</option>)}</Select>}
          </Field>
          <Field label="Value">{(control) => <Input {...control} required maxLength={500} autoComplete="off" value={row.value} onChange={(event) => set(at, { value: event.target.value })} />}</Field>
          <Button small onClick={() => onChange(rows.filter((_, i) => i !== at))} aria-label={`Remove the limit on ${row.parameter}`}>Remove</Button>
        </div>
      ))}
      {parameters.length === 0 || rows.length >= 20 ? null : <p className="mt-2"><Button small onClick={() => onChange([...rows, { parameter: parameters[0] ?? '', operator: 'eq', value: '' }])}>Add a limit</Button></p>}
    </fieldset>
  );
}
