import { provenances } from '@/lib/context/entry';
import type { Predicate, Test } from '@/lib/engine/predicate';
import { fieldName } from '@/lib/engine/read-field';

import type { Diagnostics, Path } from './diagnostics';

type Direction = 'up' | 'down' | 'neither' | 'none';

/**
 * Labels, provenance and signals of risk may be read only so that more sensitive, less trusted or more suspicious makes a
 * tightening rule truer and a loosening rule less true. Otherwise an attacker could loosen a decision by making the session read something sensitive.
 */
export function checkDirection(predicate: Predicate, loosening: boolean, path: Path, diagnostics: Diagnostics, negated = false): void {
  switch (predicate.is) {
    case 'all':
    case 'any':
      for (const part of predicate.of) checkDirection(part, loosening, path, diagnostics, negated);
      return;
    case 'not':
      checkDirection(predicate.of, loosening, path, diagnostics, !negated);
      return;
    case 'compare':
      // Of fields that neither labels nor trust move: the loader takes no others.
      return;
    case 'sequence':
    case 'test': {
      const direction = directionOf(predicate);
      if (direction === 'none') return;
      const wanted = loosening === negated ? 'up' : 'down';
      if (direction === wanted) return;
      const field = predicate.is === 'test' ? fieldName(predicate.field) : 'sequence';
      diagnostics.add(path, `${field}: more sensitive, less trusted or more suspicious data would make this rule ${loosening ? 'allow more' : 'hold less'}.`, loosening ? 'Ask for the trusted or harmless case, for example with not.' : 'Ask for the sensitive, untrusted or suspicious case.');
    }
  }
}

/** What happens to the predicate when labels rise or trust falls: truer (`up`), less true (`down`), either, or nothing. */
function directionOf(predicate: Extract<Predicate, { is: 'test' | 'sequence' }>): Direction {
  if (predicate.is === 'sequence') return [...predicate.before, predicate.last].some((step) => step.label !== null) ? 'up' : 'none';
  const { field, test } = predicate;
  if (field.of === 'labels') return labelDirection(test);
  if (field.of === 'risk') return orderDirection(test);
  if (field.of === 'provenance') return provenanceDirection(test);
  if (field.of === 'count' && field.which.label !== null) return orderDirection(test);
  return 'none';
}

function orderDirection(test: Test): Direction {
  if (test.op === 'exists') return 'none';
  return test.op === 'gt' || test.op === 'gte' ? 'up' : test.op === 'lt' || test.op === 'lte' ? 'down' : 'neither';
}

function labelDirection(test: Test): Direction {
  if (test.op === 'exists') return 'none';
  if (test.op === 'contains' || test.op === 'contains_all' || test.op === 'at_least' || test.op === 'above') return 'up';
  return test.op === 'at_most' || test.op === 'below' ? 'down' : 'neither';
}

function provenanceDirection(test: Test): Direction {
  if (test.op === 'exists') return 'none';
  const listed = test.op === 'eq' || test.op === 'not' ? [test.value] : test.op === 'in' || test.op === 'not_in' ? test.values : null;
  if (!listed) return 'neither';
  const places = provenances.map((source) => listed.includes(source) !== (test.op === 'not' || test.op === 'not_in'));
  const turns = places.slice(1).filter((place, i) => place !== places[i]).length;
  if (turns === 0) return 'none';
  if (turns > 1) return 'neither';
  return places[0] === true ? 'down' : 'up';
}
