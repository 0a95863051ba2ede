import type { ParameterRole } from '@/lib/mediate/catalogue';

import type { Inspection } from './inspection';

/**
 * Characters that make a text look like another one. Anywhere: tags (invisible letters) and reordering controls that are
 * left open. In names and addresses also what is invisible at all; in prose, joiners are part of ordinary writing.
 */
export function inspectText(text: string, role: ParameterRole | undefined): Inspection {
  if (/[\u{e0001}\u{e0020}-\u{e007f}]/u.test(text.replace(/\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{1,10}\u{e007f}/gu, ''))) {
    return { guard: 'unicode', verdict: 'block', detail: 'The text holds letters that nobody sees.' };
  }
  if (/[\u202a-\u202e\u2066-\u2069]/.test(text)) return { guard: 'unicode', verdict: 'hold', detail: 'The text is shown in another order than it is written.' };
  const exact = role !== undefined && role !== 'amount';
  if (exact && /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028\u2029\u2060-\u2064\u3164\ufeff\uffa0]/.test(text)) {
    return { guard: 'unicode', verdict: 'block', detail: 'A name holds invisible characters.' };
  }
  return undefined;
}
