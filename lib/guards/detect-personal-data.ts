import { namedPersonalData } from './named-personal-data';
import { nationalIds } from './national-ids';
import { longestRead, withoutOverlaps, type Span } from './span';

/** Kinds of account and card numbers; the others are about a person. */
export const financialKinds: ReadonlySet<string> = new Set(['card number', 'IBAN']);

/**
 * Personal data that its own form or checksum proves: payment cards (Luhn), IBANs (ISO 13616, modulo 97), US social
 * security numbers (written with dashes, and valid: area not 000, 666 or 900–999, group not 00, serial not 0000), other states'
 * numbers, phone numbers with a country code; and what the text itself calls a birth date, a passport, an address or a diagnosis.
 * Digits that merely are nine in a row are none. One number is one finding.
 */
export function detectPersonalData(text: string): readonly Span[] {
  const read = text.slice(0, longestRead);
  if (!/[0-9]{2}/.test(read)) return withoutOverlaps(namedPersonalData(read));
  return withoutOverlaps([...ibans(read), ...cards(read), ...securityNumbers(read), ...nationalIds(read), ...phones(read), ...namedPersonalData(read)]);
}

/** Lengths per country (IBAN registry); only these are looked for, so that a neighbouring word cannot be drawn in. */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IS26 IT27 JO30 KW30 KZ20 LB28 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26 UA29 VG24 XK20'
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))] as const),
);

function ibans(text: string): readonly Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?=[ -]?[A-Z0-9])/gi)) {
    const length = ibanLengths.get(match[0].slice(0, 2).toUpperCase());
    if (length === undefined) continue;
    let compact = '';
    let end = match.index;
    for (; end < text.length && compact.length < length; end++) {
      const character = text[end] ?? '';
      if (/[A-Za-z0-9]/.test(character)) compact += character.toUpperCase();
      else if (character !== ' ' && character !== '-') break;
    }
    if (compact.length === length && !/[A-Za-z0-9]/.test(text[end] ?? '') && isIban(compact)) found.push({ start: match.index, end, kind: 'IBAN' });
  }
  return found;
}

function isIban(compact: string): boolean {
  let remainder = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

function cards(text: string): readonly Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(/(?<![A-Za-z0-9.-])[2-6][0-9]{3}(?:[ .-]?[0-9]{4}){2}[ .-]?[0-9]{1,7}(?![0-9])|(?<![A-Za-z0-9.-])3[47][0-9]{2}[ .-]?[0-9]{6}[ .-]?[0-9]{5}(?![0-9])/g)) {
    const digits = match[0].replace(/[^0-9]/g, '');
    if (hasIssuersLength(digits) && new Set(digits).size > 1 && passesLuhn(digits)) found.push({ start: match.index, end: match.index + match[0].length, kind: 'card number' });
  }
  return found;
}

/** What the networks give out, by the first digits. */
function hasIssuersLength(digits: string): boolean {
  if (/^4/.test(digits)) return [13, 16, 19].includes(digits.length);
  if (/^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/.test(digits)) return digits.length === 16;
  if (/^3[47]/.test(digits)) return digits.length === 15;
  if (/^3[0689]/.test(digits)) return digits.length >= 14;
  return /^(?:35|50|5[6-9]|6)/.test(digits) && digits.length >= 16;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function securityNumbers(text: string): readonly Span[] {
  return [...text.matchAll(/(?<![0-9-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9-])/g)].map((match) => ({
    start: match.index, end: match.index + match[0].length, kind: 'social security number',
  }));
}

function phones(text: string): readonly Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(/(?<![A-Za-z0-9+])(?:\+[1-9][0-9]{0,2}[ .-]?\(?[0-9]{1,4}\)?(?:[ .-]?[0-9]{2,4}){2,4}|\([2-9][0-9]{2}\) ?[2-9][0-9]{2}-[0-9]{4})(?![0-9])/g)) {
    const digits = match[0].replace(/[^0-9]/g, '').length;
    if (digits >= 8 && digits <= 15) found.push({ start: match.index, end: match.index + match[0].length, kind: 'phone number' });
  }
  return found;
}
