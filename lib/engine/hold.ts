import { assertNever } from '@/lib/shared/assert-never';
import type { Json } from '@/lib/shared/json';

import { holdComparison } from './hold-comparison';
import { holdSequence } from './hold-sequence';
import { carriesLabel, highestLevel, levelOf } from './label-levels';
import { localTime } from './local-time';
import type { Field, Predicate, Test, ValueTest } from './predicate';
import { readField } from './read-field';
import { compare, runTest } from './run-test';
import type { Situation } from './situation';
import { isInWindow } from './time-window';
import { both, either, not, truthOf, type Truth } from './truth';

/**
 * The truth of a predicate. `cautious` says that its truth would make the answer more permissive: it then needs all of several
 * values, and evidence that a source settled as unavailable does not count; otherwise one value suffices, and unavailable
 * evidence counts against the action. Under `not` the two change places.
 */
export function hold(predicate: Predicate, situation: Situation, cautious: boolean): Truth {
  switch (predicate.is) {
    case 'all': {
      let truth: Truth = 'true';
      for (const part of predicate.of) {
        truth = both(truth, hold(part, situation, cautious));
        if (truth === 'false') return truth;
      }
      return truth;
    }
    case 'any': {
      let truth: Truth = 'false';
      for (const part of predicate.of) {
        truth = either(truth, hold(part, situation, cautious));
        if (truth === 'true') return truth;
      }
      return truth;
    }
    case 'not':
      return not(hold(predicate.of, situation, !cautious));
    case 'test':
      return holdTest(predicate.field, predicate.test, situation, cautious);
    case 'compare':
      return holdComparison(predicate, situation, cautious);
    case 'sequence':
      return holdSequence(predicate, situation);
    default:
      return assertNever(predicate);
  }
}

function holdTest(field: Field, test: Test, situation: Situation, cautious: boolean): Truth {
  if (test.op === 'in_window') {
    if (field.of !== 'time') return 'false';
    const time = localTime(field.zone, situation.nowMs);
    return truthOf(test.windows.some((window) => isInWindow(window, time)));
  }
  const reading = readField(situation, field);
  switch (reading.state) {
    case 'absent':
      return truthOf(test.op === 'exists' && !test.value);
    case 'unavailable':
      return truthOf(!cautious);
    case 'unknown':
      // An argument that could not be parsed is there all the same, and what was understood of it may settle the test.
      if (test.op === 'exists' && field.of === 'parameter') return truthOf(test.value);
      return holdPart(field, test, reading.partly, situation, cautious);
    case 'at_least':
      return holdAtLeast(reading.value, test);
    case 'known':
      if (test.op === 'exists') return truthOf(test.value);
      switch (field.of) {
        case 'labels':
          return truthOf(holdLabels(test, situation.snapshot.labels));
        case 'intent':
          return holdIntent(test, reading.values, situation.snapshot.intent?.doubtful ?? []);
        case 'parameter':
        case 'identity':
        case 'operation':
        case 'recipient':
        case 'owner':
        case 'attribute':
        case 'provenance':
        case 'prior':
        case 'elapsed':
        case 'time':
        case 'risk':
        case 'count':
          return runTest(situation, field, test, reading.values, cautious);
        default:
          return assertNever(field);
      }
    default:
      return assertNever(reading);
  }
}

/** One value is enough for a test that needs only one, and one that fails is enough against a test that needs all. */
function holdPart(field: Field, test: ValueTest, partly: readonly Json[], situation: Situation, cautious: boolean): Truth {
  if (partly.length === 0 || test.op === 'contains_all') return 'unknown';
  const truth = runTest(situation, field, test, partly, cautious);
  const settled = cautious ? 'false' : 'true';
  return truth === settled ? truth : 'unknown';
}

/** A lower bound settles only what more could not change. */
function holdAtLeast(value: number, test: Test): Truth {
  if (test.op !== 'lt' && test.op !== 'lte' && test.op !== 'gt' && test.op !== 'gte') return 'unknown';
  const truth = compare(value, test.op, test.value);
  const settled = test.op === 'gt' || test.op === 'gte' ? 'true' : 'false';
  return truth === settled ? truth : 'unknown';
}

function holdLabels(test: Test, labels: readonly string[]): boolean {
  switch (test.op) {
    case 'contains':
      return test.values.some((label) => typeof label === 'string' && carriesLabel(labels, label));
    case 'contains_all':
      return test.values.every((label) => typeof label === 'string' && carriesLabel(labels, label));
    case 'at_least':
      return highestLevel(labels) >= levelOf(test.level);
    case 'above':
      return highestLevel(labels) > levelOf(test.level);
    case 'at_most':
      return highestLevel(labels) <= levelOf(test.level);
    case 'below':
      return highestLevel(labels) < levelOf(test.level);
    default:
      return false;
  }
}

/** A concept that the request affirms is there; one in doubt may be. */
function holdIntent(test: Test, affirmed: readonly unknown[], doubtful: readonly string[]): Truth {
  if (test.op !== 'contains' && test.op !== 'contains_all') return 'false';
  const truths = test.values.map((concept): Truth => {
    if (affirmed.includes(concept)) return 'true';
    return doubtful.some((doubt) => doubt === concept) ? 'unknown' : 'false';
  });
  return test.op === 'contains' ? truths.reduce(either, 'false') : truths.reduce(both, 'true');
}
