import type { Field, Predicate, Test } from '@/lib/engine/predicate';

/** Every comparison in a predicate, whatever stands around it. Of two fields with each other, that both are there. */
export function testsOf(predicate: Predicate): readonly { readonly field: Field; readonly test: Test }[] {
  switch (predicate.is) {
    case 'all':
    case 'any':
      return predicate.of.flatMap(testsOf);
    case 'not':
      return testsOf(predicate.of);
    case 'compare':
      return [predicate.left, predicate.right].map((field) => ({ field, test: { op: 'exists', value: true, implied: true } }));
    case 'sequence':
      return [];
    case 'test':
      return [{ field: predicate.field, test: predicate.test }];
  }
}
