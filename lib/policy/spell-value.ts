import { conceptOf, lexicon } from '@/lib/context/lexicon';
import { provenances } from '@/lib/context/entry';
import type { Field } from '@/lib/engine/predicate';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { nearestNames } from '@/lib/mediate/nearest-names';
import type { Json } from '@/lib/shared/json';

import type { Diagnostics, Path } from './diagnostics';
import { keysNamed } from './policy-names';

/** How a field's values are written in a policy: a word is checked and brought to the form that contexts use. */
export type Spelling = (value: Json, path: Path) => readonly Json[];

/** The same for the context part and for a `when`: a word that no context can hold would make a rule that never matches. */
export function spellingOf(field: Field, catalogue: Catalogue, diagnostics: Diagnostics): Spelling {
  switch (field.of) {
    case 'prior':
      return (value, path) => spellAction(value, path, catalogue, diagnostics);
    case 'labels':
      return (value, path) => spellLabel(value, path, diagnostics);
    case 'intent':
      return (value, path) => spellConcept(value, path, diagnostics);
    case 'provenance':
      return (value, path) => spellProvenance(value, path, diagnostics);
    case 'parameter':
    case 'identity':
    case 'operation':
    case 'recipient':
    case 'owner':
    case 'attribute':
    case 'elapsed':
    case 'time':
    case 'risk':
    case 'count':
      return (value) => [value];
  }
}

/** `PII` and the like, as contexts write them. */
export function spellLabel(value: Json, path: Path, diagnostics: Diagnostics): readonly string[] {
  if (typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,39}$/.test(value)) return [value];
  const capitals = typeof value === 'string' ? value.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_') : '';
  diagnostics.add(path, 'A label is written in capitals, such as PII.', /^[A-Z]/.test(capitals) ? `Write ${capitals.slice(0, 40)}.` : 'Write a label such as PII or CONFIDENTIAL.');
  return [];
}

function spellAction(value: Json, path: Path, catalogue: Catalogue, diagnostics: Diagnostics): readonly string[] {
  if (typeof value === 'string' && value.includes('.')) return keysNamed([value], catalogue);
  diagnostics.add(path, 'A prior action is named tool.operation.', 'Write it like database.query, or database.* for all of a tool.');
  return [];
}

function spellConcept(value: Json, path: Path, diagnostics: Diagnostics): readonly string[] {
  const concept = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (conceptOf(concept)) return [concept];
  const [near] = nearestNames(concept, lexicon.flatMap(({ names }) => names));
  diagnostics.add(path, `The lexicon knows no concept ${JSON.stringify(value)}, so no request could ever contain it.`, near === undefined ? 'Use a verb that it knows, such as delete, cleanup, send, pay or report.' : `Did you mean ${near}?`);
  return [];
}

function spellProvenance(value: Json, path: Path, diagnostics: Diagnostics): readonly string[] {
  const name = typeof value === 'string' ? value.trim().replaceAll(' ', '_') : '';
  if (provenances.some((source) => source === name)) return [name];
  diagnostics.add(path, `There is no provenance ${JSON.stringify(value)}.`, `Use one of ${provenances.join(', ')}.`);
  return [];
}
