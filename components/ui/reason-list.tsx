'use client';

interface ReasonListProps {
  readonly legend: string;
  readonly name: string;
  readonly reasons: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

/** One of a few canned reasons. */
export function ReasonList({ legend, name, reasons, value, onChange }: ReasonListProps) {
  return (
    <fieldset className="reasons">
      <legend className="meta">{legend}</legend>
      {reasons.map((reason) => (
        <label key={reason.value}>
          <input type="radio" name={name} value={reason.value} checked={value === reason.value} onChange={() => onChange(reason.value)} />
          {reason.label}
        </label>
      ))}
    </fieldset>
  );
}
