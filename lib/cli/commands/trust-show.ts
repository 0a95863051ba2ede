import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { lookAtAuthority, withWorkspace } from '@/lib/cli/open-console';
import { plainText } from '@/lib/cli/plain-text';
import { printFault } from '@/lib/cli/print-fault';
import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import type { ServiceKey } from '@/lib/authority/trust-root';
import type { DocumentRow } from '@/lib/ports/authority-store';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { InForce } from '@/lib/services/in-force';
import { envelopePayload, parseEnvelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';

const usage = `usage: countersign trust show [--json]

Shows the trust root that the pins of the state directory lead to, its owners and service keys, and the policy in force.
Exit: 0 something is in force, 1 everything is denied and why, 2 usage, or no database.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
    const { seen, services } = await withWorkspace(terminal, async (open) => {
      const looked = await lookAtAuthority(open);
      return { seen: looked, services: statedServices(looked, await open.stores.authority.trustRoots()) };
    });
    const shown = shownAuthority(seen, services);
    if (values.json === true) terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
    else if (shown.trust_root) terminal.out(textOf(shown));
    if (seen.denied === null) return exitCode.done;
    printFault(terminal, { code: seen.denied, detail: seen.refusal?.detail ?? 'Every action is denied.', ...(seen.refusal?.fix === undefined ? {} : { fix: seen.refusal.fix }) });
    return exitCode.refused;
  },
};

type Shown = ReturnType<typeof shownAuthority>;

/** As the document in force lists them. A process acts on more: what the roots before it delegated, range by range. */
function statedServices({ root }: InForce, rows: readonly DocumentRow[]): readonly ServiceKey[] {
  const newest = parseEnvelope(rows.find(({ version }) => version === root?.root.version)?.envelope ?? '');
  const bytes = newest.ok ? envelopePayload(newest.value) : undefined;
  const stated = bytes && digestOf(nodeSha256, bytes) === root?.digest ? parseTrustRoot(bytes) : undefined;
  return stated?.ok ? stated.value.services : (root?.root.services ?? []);
}

function shownAuthority({ root, roster, policy, denied }: InForce, services: readonly ServiceKey[]) {
  const nameOf = (person: string): string => roster?.roster.people.find(({ id }) => id === person)?.name ?? person;
  return {
    denied,
    trust_root: root && {
      fingerprint: root.fingerprint,
      version: root.root.version,
      digest: root.digest,
      thresholds: root.root.thresholds,
      owners: root.root.owners.map(({ person, key }) => ({ person, name: nameOf(person), key: key.id, kind: key.kind })),
      services: services.map(({ key, role, from, to }) => ({ role, key: key.id, from, to: to ?? null })),
      recovery_key: root.root.recovery.key.id,
    },
    roster: roster && { version: roster.roster.version, people: roster.roster.people.length },
    policy: policy && { revision: policy.revision, digest: policy.digest, signers: policy.signers.map(nameOf), applied_at: policy.applied_at },
  };
}

function textOf({ trust_root, roster, policy }: Shown): string {
  const lines = trust_root
    ? [
        `Fingerprint   ${trust_root.fingerprint}`,
        `Trust root    version ${String(trust_root.version)}; policies need ${String(trust_root.thresholds.policy)}, loosening ${String(trust_root.thresholds.loosening)}, a new root ${String(trust_root.thresholds.root)} owners`,
        ...trust_root.owners.map(({ name, kind, key }) => `Owner         ${plainText(name)}, ${kind} ${key}`),
        ...trust_root.services.map(({ role, key, from, to }) => `Service key   ${role} ${key}, positions ${String(from)} to ${to === null ? 'now' : String(to)}`),
        `Recovery key  ${trust_root.recovery_key}`,
      ]
    : [];
  if (roster) lines.push(`Roster        version ${String(roster.version)}, ${String(roster.people)} people`);
  if (policy) lines.push(`Policy        revision ${String(policy.revision)}, sha256:${policy.digest}, signed by ${policy.signers.map(plainText).join(', ')}`);
  return `${lines.join('\n')}\n`;
}
