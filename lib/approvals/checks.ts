import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

import type { HeldAction, HeldArgument } from './held-action';
import { measured, measuredReversible } from './measured';
import { counted, ours, untrusted, type ViewText } from './view-text';

/** Something that the approver has to judge before signing. The id is part of what is signed; the title is ours alone. */
export type Check = { readonly id: CheckId; readonly title: string; readonly detail: ViewText };

export const checkIds = ['untrusted_target', 'look_alike_recipient', 'labels_leaving', 'value_from_nowhere', 'irreversible'] as const;
export type CheckId = (typeof checkIds)[number];

export const maxChecks = 3;

/** At most three, each made by a named finding, the gravest first. */
export const checksOf = (held: HeldAction): readonly Check[] =>
  [untrustedTarget(held), lookAlikeRecipient(held), labelsLeaving(held), valueFromNowhere(held), irreversible(held)]
    .filter((check) => check !== null)
    .slice(0, maxChecks);

const aims = (argument: HeldArgument): boolean => argument.role !== undefined && argument.role !== 'amount';

function untrustedTarget({ arguments: all }: HeldAction): Check | null {
  const found = all.filter((argument) => aims(argument) && argument.source === 'untrusted_output');
  const first = found[0];
  if (!first) return null;
  return {
    id: 'untrusted_target',
    title: found.length === 1 ? 'Where it goes came from untrusted text.' : 'Where it goes came, in part, from untrusted text.',
    detail: [
      untrusted(shown(first.value)),
      ours(' in '),
      untrusted(first.path),
      ours(' first appears in '),
      untrusted(first.where ?? 'untrusted output'),
      ours(found.length === 1 ? '. The request does not mention it.' : `, as do ${counted(found.length - 1, 'other value')}. The request mentions none of them.`),
    ],
  };
}

function lookAlikeRecipient({ recipients }: HeldAction): Check | null {
  const found = recipients.find(({ standing }) => standing === 'look_alike');
  if (!found) return null;
  const twin = found.resembles === undefined ? [ours(' looks like an address known here, and is another one.')] : [ours(' looks like '), untrusted(found.resembles), ours(', and is another address.')];
  return { id: 'look_alike_recipient', title: 'A recipient looks like somebody else.', detail: [untrusted(found.address), ...twin] };
}

/** Levels that may leave without a check; every other label, a tag or an unknown one, asks for it. */
const harmless = new Set(['PUBLIC', 'INTERNAL']);

function labelsLeaving({ effect, labels, recipients }: HeldAction): Check | null {
  if (effect !== 'communicate') return null;
  const sensitive = [...new Set(labels)].filter((label) => !harmless.has(label)).sort();
  if (sensitive.length === 0) return null;
  // Without recipients to judge (a URL, a share) it counts as leaving.
  const outside = recipients.filter(({ standing }) => standing !== 'internal');
  if (recipients.length > 0 && outside.length === 0) return null;
  return {
    id: 'labels_leaving',
    title: 'The session has read sensitive data, and this leaves the house.',
    detail: [
      ours('Seen in this session: '),
      { text: sensitive.join(', '), from: 'policy' },
      ours(outside.length > 0 ? `. ${counted(outside.length, 'recipient')} not known as internal.` : '. Where it goes is not known as internal.'),
    ],
  };
}

const reaches = new Set<HeldAction['effect']>(['destructive', 'grant', 'spend', 'execute']);

/** A flag that is switched on, or anything that says where to or how much, and that the agent made up. */
function valueFromNowhere(held: HeldAction): Check | null {
  const found = held.arguments.find(
    (argument) => argument.source === 'nowhere' && (argument.role !== undefined || (reaches.has(held.effect) && argument.value === true)),
  );
  if (!found) return null;
  return {
    id: 'value_from_nowhere',
    title: 'Nobody asked for one of the values.',
    detail: [untrusted(found.path), ours(' = '), untrusted(shown(found.value)), ours(' is in neither the request nor any output: the agent made it up.')],
  };
}

const canEndThings = new Set<HeldAction['effect']>(['destructive', 'spend', 'communicate']);

function irreversible(held: HeldAction): Check | null {
  const reversible = measuredReversible(held);
  // Not known is not a yes, but only for what destroys: every e-mail would ask for the tick otherwise.
  const asks = reversible === false ? canEndThings.has(held.effect) : reversible === undefined && held.effect === 'destructive';
  if (!asks || measured(held, 'effect.snapshot')) return null;
  return {
    id: 'irreversible',
    title: reversible === false ? 'This cannot be undone.' : 'Nobody knows whether this can be undone.',
    detail: [ours(reversible === false ? 'It was measured as irreversible, and no snapshot is known.' : 'No enforcement point has measured it, and no snapshot is known.')],
  };
}

const shown = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));
