import { useId, type ComponentProps, type ReactNode } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Says what is wrong and how to right it; announced, and marks the control as invalid. */
  readonly error?: string | undefined;
  readonly children: (control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode;
}

/** Label, control, hint and error of one form field, wired together. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint === undefined ? null : `${id}-hint`, error === undefined ? null : `${id}-error`].filter((part) => part !== null);
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described.length > 0 ? described.join(' ') : undefined, 'aria-invalid': error === undefined ? undefined : true })}
      {hint === undefined ? null : <p className="meta" id={`${id}-hint`}>{hint}</p>}
      {error === undefined ? null : <p className="field-error" id={`${id}-error`} role="alert">{error}</p>}
    </div>
  );
}

/** A single-line text control on raised paper. */
export function Input({ className, ...rest }: Omit<ComponentProps<'input'>, 'style'>) {
  return <input {...rest} className={className === undefined ? 'input' : `input ${className}`} />;
}

/** Several lines of text. */
export function TextArea({ className, rows = 3, ...rest }: Omit<ComponentProps<'textarea'>, 'style'>) {
  return <textarea {...rest} rows={rows} className={className} />;
}

/** One of a few values. */
export function Select({ className, ...rest }: Omit<ComponentProps<'select'>, 'style'>) {
  return <select {...rest} className={className === undefined ? 'input select' : `input select ${className}`} />;
}
