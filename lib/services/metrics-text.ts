import type { CheckpointHealth } from './checkpoint-health';

type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

export type Watched = {
  readonly denying: boolean;
  readonly checkpoints: CheckpointHealth | null;
  /** What this process decides by, without asking the database: null while no policy is in force. */
  readonly policy: { readonly revision: number } | null;
  /** The newest revision was not taken, and an older one goes on. */
  readonly refused: boolean;
  readonly switches: number;
};

/** What a plane shows to those who watch it, in Prometheus' text format (version 0.0.4). No name, text or number of a decision is in it. */
export function metricsText({ denying, checkpoints, policy, refused, switches }: Watched): string {
  const exports = checkpoints?.exports ?? [];
  return [
    gauge('denying_all', '1 while everything is denied: no policy in force, a rollback, or no key that may sign.', [{ value: Number(denying) }]),
    gauge('policy_revision', 'The revision that this process decides by; 0: none.', [{ value: policy?.revision ?? 0 }]),
    gauge('policy_refused', '1 while a newer revision was refused and an older one goes on.', [{ value: Number(refused) }]),
    gauge('switches_thrown', 'Kill switches that are on.', [{ value: switches }]),
    ...(checkpoints
      ? [
          gauge('log_receipts', 'Receipts in the log.', [{ value: checkpoints.size }]),
          gauge('log_covered_receipts', 'Receipts that a signed checkpoint covers.', [{ value: checkpoints.covered }]),
          gauge('checkpoints_failing', '1 while the log cannot be covered by a checkpoint.', [{ value: Number(checkpoints.fault !== null) }]),
        ]
      : []),
    gauge('export_failing', '1 while checkpoints do not arrive there.', exports.map(({ to, fault }) => ({ labels: { to }, value: Number(fault !== null) }))),
    gauge('export_receipts', 'Receipts that the newest checkpoint covers which arrived there.', exports.map(({ to, size }) => ({ labels: { to }, value: size ?? 0 }))),
  ].join('');
}

function gauge(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const full = `countersign_${name}`;
  const lines = samples.map(({ labels = {}, value }) => {
    const named = Object.entries(labels).map(([key, text]) => `${key}="${text}"`);
    return `${full}${named.length > 0 ? `{${named.join(',')}}` : ''} ${String(value)}`;
  });
  return [`# HELP ${full} ${help}`, `# TYPE ${full} gauge`, ...lines].map((line) => `${line}\n`).join('');
}
