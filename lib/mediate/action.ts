import type { JsonObject } from '@/lib/shared/json';

import type { CatalogueEntry } from './catalogue';
import type { EffectFacts } from './effect-of';

/** A program that a command line would start, with its literal arguments. */
export type ProgramFact = { readonly name: string; readonly arguments: readonly string[] };

/**
 * What parsing an action's arguments established. A parameter that could not be parsed is named in `opaque`:
 * it inherits no permission, and predicates that read it are unknown.
 */
export type ActionFacts = EffectFacts & {
  /** `<tool>:<value of the target parameter>`, such as `database:test_data`. */
  readonly target?: string;
  /** Lower-cased addresses of every recipients parameter. */
  readonly recipients: readonly string[];
  /** Normalised paths: no `.` or `..` segments left, NFC; a path that climbs out of its root is opaque. */
  readonly paths: readonly string[];
  readonly urls: readonly { readonly href: string; readonly host: string }[];
  readonly programs: readonly ProgramFact[];
  /** Tables that a query reads or writes. */
  readonly tables: readonly string[];
  readonly amounts: readonly number[];
  readonly opaque: readonly string[];
};

/** The one canonical form of what an agent wants done: what is decided, hashed, shown, and executed. */
export type CanonicalAction = {
  readonly tool: string;
  readonly operation: string;
  readonly parameters: JsonObject;
  readonly entry: CatalogueEntry;
  readonly facts: ActionFacts;
};
