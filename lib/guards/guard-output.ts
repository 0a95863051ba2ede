import { detectPersonalData, financialKinds } from './detect-personal-data';
import { detectSecrets } from './detect-secrets';
import { healthKinds } from './named-personal-data';
import { detectInstructions } from './score-injection';
import type { Span } from './span';

/** An output as it may go on to the agent, and what the session has seen by it. */
export type GuardedOutput = {
  /** Secrets replaced; everything else as it was. */
  readonly text: string;
  /** How many stretches were replaced. */
  readonly redactions: number;
  /** SECRET, PII, PHI, FINANCIAL: sorted. */
  readonly labels: readonly string[];
  /** Thousandths. */
  readonly injectionScore: number;
  /** What was found, by which guard, and where in the text that came in. */
  readonly findings: readonly OutputFinding[];
};

export type OutputFinding = Span & { readonly guard: 'secrets' | 'personal-data' | 'instructions' };

/** An address is personal, but every mail has some; this many make a list of people. */
const listOfPeople = 10;

/** Inspects what a tool answered. Pure and linear in the text. */
export function guardOutput(text: string): GuardedOutput {
  const secrets = detectSecrets(text);
  const personal = detectPersonalData(text);
  const instructions = detectInstructions(text);
  const labels = new Set<string>();
  if (secrets.length > 0) labels.add('SECRET');
  for (const { kind } of personal) labels.add(financialKinds.has(kind) ? 'FINANCIAL' : healthKinds.has(kind) ? 'PHI' : 'PII');
  if (addresses(text) >= listOfPeople) labels.add('PII');
  return {
    text: redacted(text, secrets), redactions: secrets.length, labels: [...labels].sort(), injectionScore: instructions.score,
    findings: [...by('secrets', secrets), ...by('personal-data', personal), ...by('instructions', instructions.spans)],
  };
}

const by = (guard: OutputFinding['guard'], spans: readonly Span[]): readonly OutputFinding[] => spans.map((span) => ({ ...span, guard }));

function redacted(text: string, spans: readonly Span[]): string {
  let out = '';
  let from = 0;
  for (const { start, end, kind } of spans) {
    out += `${text.slice(from, start)}[redacted ${kind}]`;
    from = end;
  }
  return out + text.slice(from);
}

function addresses(text: string): number {
  const seen = new Set<string>();
  for (const match of text.matchAll(/(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g)) {
    seen.add(match[0].toLowerCase());
    if (seen.size >= listOfPeople) break;
  }
  return seen.size;
}
