import { Field, Input, Select, TextArea } from '@/components/ui/field';
import { factTypes, type FactType } from '@/lib/shared/fact-type';

interface FactValueProps {
  readonly label: string;
  readonly type: FactType;
  /** The policy says which type: it is not to be chosen. */
  readonly fixed: boolean;
  readonly typed: string;
  readonly onType: (type: FactType) => void;
  readonly onChange: (typed: string) => void;
}

const words: { readonly [T in FactType]: string } = { string: 'Text', number: 'A number', boolean: 'Yes or no', list: 'A list' };
const hints: { readonly [T in FactType]: string | undefined } = { string: undefined, number: 'Digits, with a point before decimals.', boolean: undefined, list: 'One item a line.' };

const isType = (value: string): value is FactType => factTypes.some((type) => type === value);

/** The control for a fact’s value, by its type. */
export function FactValue({ label, type, fixed, typed, onType, onChange }: FactValueProps) {
  return (
    <>
      {fixed ? null : (
        <Field label="Answer with">
          {(control) => (
            <Select {...control} value={type} onChange={(event) => { if (isType(event.target.value)) onType(event.target.value); }}>
              {factTypes.map((one) => <option key={one} value={one}>{words[one]}</option>)}
            </Select>
          )}
        </Field>
      )}
      <Field label={label} hint={hints[type]}>
        {(control) =>
          type === 'boolean' ? (
            <Select {...control} value={typed} onChange={(event) => onChange(event.target.value)}>
              <option value="">Choose</option><option value="yes">Yes</option><option value="no">No</option>
            </Select>
          ) : type === 'list' ? (
            <TextArea {...control} rows={3} maxLength={8000} value={typed} onChange={(event) => onChange(event.target.value)} />
          ) : (
            <Input {...control} inputMode={type === 'number' ? 'decimal' : undefined} maxLength={4000} autoComplete="off" value={typed} onChange={(event) => onChange(event.target.value)} />
          )}
      </Field>
    </>
  );
}
