import { describe, expect, it } from 'vitest';

import type { Span } from '@/lib/contracts/console/receipt-filters';

import { filtersAsked } from './filters-asked';

const now = '2026-11-30T13:22:16.250Z';

describe('the filters that the store is asked for', () => {
  it.each<[Span, string]>([
    ['hour', '2026-11-30T12:22:16.250Z'],
    ['today', '2026-11-30T00:00:00.000Z'],
    ['day', '2026-11-29T13:22:16.250Z'],
    ['week', '2026-11-23T13:22:16.250Z'],
    ['month', '2026-10-31T13:22:16.250Z'],
  ])('let the span "%s" begin at %s', (span, from) => {
    expect(filtersAsked({ span }, now)).toEqual({ from });
  });

  it('keep to the narrower of a span and a beginning', () => {
    expect(filtersAsked({ span: 'hour', from: '2026-11-30T13:00:00.000Z' }, now)).toEqual({ from: '2026-11-30T13:00:00.000Z' });
    expect(filtersAsked({ span: 'hour', from: '2026-11-01T00:00:00.000Z' }, now)).toEqual({ from: '2026-11-30T12:22:16.250Z' });
  });

  it('hold nothing that was not asked for', () => {
    expect(filtersAsked({}, now)).toEqual({});
    expect(Object.keys(filtersAsked({ rule: 'a', text: undefined }, now))).toEqual(['rule']);
  });
});
