import type { ReactNode } from 'react';
import { Wordmark } from '@/components/layout/wordmark';
import { ThemeToggle } from '@/components/ui/theme-toggle';

interface AuthLayoutProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** `wide` for set-up with its steps, `narrow` for sign-in, `page` for what fills the window. */
  readonly width?: 'narrow' | 'wide' | 'page';
  /** Standing notices, such as a demonstration's. */
  readonly notices?: ReactNode;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

/** Sign-in and set-up: one sheet on plain paper. */
export function AuthLayout({ title, lead, width = 'narrow', notices, children, foot }: AuthLayoutProps) {
  return (
    <div className="auth">
      <header className="auth-top"><span className="brand"><Wordmark /></span><ThemeToggle /></header>
      {notices === undefined ? null : <section className="notices" aria-label="Standing notices">{notices}</section>}
      <main className="auth-sheet" id="content" tabIndex={-1} data-width={width}>
        <h1 className="auth-title">{title}</h1>
        {lead === undefined ? null : <p className="auth-lead">{lead}</p>}
        {children}
      </main>
      <footer className="auth-foot">{foot ?? 'Agents propose. People countersign.'}</footer>
    </div>
  );
}

export interface SetUpStep {
  readonly key: string;
  readonly title: string;
  readonly state: 'done' | 'current' | 'ahead';
}

/** Where one is in set-up. Squares, for a ring is only ever a signature. */
export function SetUpSteps({ steps }: { readonly steps: readonly SetUpStep[] }) {
  return (
    <ol className="auth-steps" aria-label="Set-up">
      {steps.map((step) => (
        <li key={step.key} data-state={step.state} aria-current={step.state === 'current' ? 'step' : undefined}>
          <i aria-hidden />{step.title}{step.state === 'done' ? <span className="vh">, done</span> : null}
        </li>
      ))}
    </ol>
  );
}
