import type { Effect } from '@/lib/mediate/catalogue';

import { conceptOf, deedNamed, type Concept } from './lexicon';

/** Concepts that ask for an effect, when the operation's own name is in no lexicon. */
const askedBy: Readonly<Record<Effect, readonly string[]>> = {
  read: ['read', 'report', 'download'],
  write: ['create', 'update', 'schedule', 'upload', 'commit', 'archive', 'close', 'cancel', 'install', 'assign'],
  destructive: ['delete', 'cleanup', 'cancel', 'reset'],
  communicate: ['send', 'reply', 'forward', 'share', 'publish', 'invite', 'download'],
  execute: ['run', 'deploy', 'install', 'create', 'update', 'enable', 'disable', 'reset'],
  grant: ['grant', 'share', 'approve', 'invite', 'unlock'],
  spend: ['pay', 'refund', 'schedule'],
};

/** Words that ask for the effect whatever the operation calls itself: sending money is asked for by "pay". */
const core: Readonly<Record<Effect, readonly string[]>> = {
  read: [], write: [], destructive: ['delete'], communicate: ['send'], execute: ['run'], grant: ['grant', 'share'], spend: ['pay', 'refund'],
};

/** People ask for one deed in the words of another: an event is planned, added or booked, a table is booked or ordered. */
const near: Readonly<Record<string, readonly string[]>> = {
  delete: ['cleanup', 'cancel'], cleanup: ['delete', 'archive'], archive: ['cleanup', 'delete', 'close'],
  send: ['reply', 'forward', 'share', 'publish', 'invite'], reply: ['send', 'forward'], forward: ['send', 'share'],
  share: ['send', 'forward', 'grant', 'invite', 'publish'], publish: ['share', 'send', 'create', 'reply'],
  create: ['schedule', 'update', 'publish', 'upload', 'commit', 'invite', 'assign'],
  update: ['create', 'schedule', 'close', 'assign', 'enable', 'disable', 'cancel', 'refund', 'archive', 'reset'],
  schedule: ['create', 'update', 'pay', 'invite'], invite: ['share', 'grant', 'send', 'create', 'schedule'],
  cancel: ['delete', 'refund', 'disable', 'close'], pay: ['refund', 'send', 'schedule'], refund: ['pay', 'cancel', 'update', 'send'],
  run: ['deploy', 'install', 'enable', 'reset'], deploy: ['run', 'upload', 'install'], install: ['run', 'update', 'upload'],
  download: ['read', 'report', 'upload'], upload: ['share', 'publish', 'send', 'create', 'commit'], commit: ['upload', 'create', 'update', 'approve'],
  close: ['update', 'archive', 'cancel'], approve: ['grant', 'commit', 'close'], grant: ['share', 'invite', 'approve', 'create', 'enable'],
  assign: ['update', 'create', 'grant'], enable: ['update', 'run', 'grant', 'disable', 'reset'], disable: ['update', 'enable', 'cancel', 'reset'],
  unlock: ['grant', 'enable'], lock: ['disable', 'enable', 'update'], reset: ['update', 'run', 'enable', 'disable', 'delete'], choose: ['update'],
};

export type Wanted = {
  /** The word of the operation's own name that the lexicon knows. */
  readonly own: string | null;
  /** Concepts by which a person asks for such an operation, the nearest first. */
  readonly concepts: readonly Concept[];
};

/**
 * What somebody would say who wants this operation. Its own verb counts, with what people say for it; an operation whose name says
 * nothing is asked for by any word for its effect. A word for reading in the name of something that does more says nothing.
 */
export function wantedFor(operation: string, effect: Effect): Wanted {
  const key = `${effect} ${operation}`;
  const wanted = known.get(key) ?? lookUp(operation, effect);
  if (known.size >= mostKnown) known.clear();
  known.set(key, wanted);
  return wanted;
}

/** What was worked out already: operations are those of a catalogue, and asked for again and again. */
const known = new Map<string, Wanted>();
const mostKnown = 5_000;

function lookUp(operation: string, effect: Effect): Wanted {
  const verbs = wordsOf(operation).filter((word) => {
    const concept = deedNamed(word);
    return concept !== undefined && (effect === 'read' || !saysReading(concept));
  });
  // "Make a transfer" makes nothing but a transfer.
  const own = effect === 'write' ? verbs[0] : (verbs.find((word) => deedNamed(word)?.names[0] !== 'create') ?? verbs[0]);
  const concept = own === undefined ? undefined : deedNamed(own);
  const names = concept ? [concept.names[0] ?? '', ...(near[concept.names[0] ?? ''] ?? []), ...core[effect]] : askedBy[effect];
  return { own: own ?? null, concepts: [...new Set(names)].map(conceptOf).filter((one) => one !== undefined) };
}

const saysReading = ({ names }: Concept): boolean => names.includes('read') || names.includes('report') || names.includes('choose');

/** `SendDirectMessage` and `send_direct_message` in lower-case words. */
export const wordsOf = (name: string): readonly string[] =>
  name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/).filter((word) => word !== '');
