import type { Json } from '@/lib/shared/json';

/** What is missing so that a field is not known. `opaque`: no supplier can help, an argument could not be parsed. */
export type Missing = {
  readonly field: string;
  readonly subject: string | null;
  /** The attribute to supply about the subject, when that is what is missing. */
  readonly attribute: string | null;
  readonly opaque: boolean;
};

/**
 * What reading a field gave. Several values are a parameter with many recipients, paths or programs. `unavailable`: a listed
 * source settled that there is none. `at_least`: a count of which only a part could be seen.
 * `partly`: what was understood of an argument that could not be parsed as a whole. Absent is a known fact: an optional parameter that was left out.
 */
export type Reading =
  | { readonly state: 'known'; readonly values: readonly Json[]; readonly set: boolean }
  | { readonly state: 'absent' }
  | { readonly state: 'unavailable' }
  | { readonly state: 'at_least'; readonly value: number }
  | { readonly state: 'unknown'; readonly missing: Missing; readonly partly: readonly Json[] };

export const absent: Reading = { state: 'absent' };
export const unavailable: Reading = { state: 'unavailable' };
export const one = (value: Json): Reading => ({ state: 'known', values: [value], set: false });
export const several = (values: readonly Json[]): Reading => (values.length === 0 ? absent : { state: 'known', values, set: true });

export const unknown = (field: string, more: Partial<Omit<Missing, 'field'>> = {}, partly: readonly Json[] = []): Reading => ({
  state: 'unknown',
  missing: { field, subject: null, attribute: null, opaque: false, ...more },
  partly,
});
