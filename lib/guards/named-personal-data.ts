import type { Span } from './span';

/** What a text itself calls a person's: the word before says what the value is, which alone could be anything. */
const named: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  {
    kind: 'date of birth',
    pattern: /(?:\b(?:date of birth|birth ?date|d\.?o\.?b\.?|born(?: on)?|geburtsdatum|geboren(?: am)?|date de naissance|née? le|fecha de nacimiento|data di nascita|data de nascimento)|生年月日|出生日期|생년월일)["']?\s{0,3}[:=：]?\s{0,3}["']?((?:19|20)[0-9]{2}(?:[-/.][0-9]{1,2}[-/.][0-9]{1,2}|年[0-9]{1,2}月[0-9]{1,2}日)|[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[a-zéû]{3,9})[-/., ]{1,2}(?:19|20)[0-9]{2}|[a-z]{3,9} [0-9]{1,2}(?:st|nd|rd|th)?,? (?:19|20)[0-9]{2})/giu,
  },
  { kind: 'passport number', pattern: /(?:\bpassport(?: ?(?:no|number|nr|#))?|\breisepass(?:nummer)?|\bpasaporte|\bpasseport|パスポート番号|旅券番号|护照号)\.?["']?\s{0,3}[:=#：]?\s{0,3}["']?((?=[A-Z0-9]{0,8}[0-9])[A-Z0-9]{7,9})(?![A-Za-z0-9])/gi },
  { kind: 'driving licence', pattern: /\b(?:driver'?s? ?licen[cs]e|driving licen[cs]e|führerschein(?:nummer)?|permis de conduire)(?: ?(?:no|number|nr|#))?\.?["']?\s{0,3}[:=#：]?\s{0,3}["']?((?=[A-Z0-9-]{0,20}[0-9]{4})[A-Z0-9-]{6,20})(?![A-Za-z0-9])/gi },
  {
    kind: 'postal address',
    pattern: /(?:(?<![\w.])[0-9]{1,5}[a-z]? (?:[A-Z][\w'’.-]{1,24} ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Highway|Hwy|Close|Crescent)\b\.?,? {0,2}(?:(?:Apt|Apartment|Suite|Unit|Flat|#)\.? ?[\w-]{1,6},? )?(?:[A-Z][\w'’.-]{1,24}(?: [A-Z][\w'’.-]{1,24}){0,2},? )?(?:[A-Z]{2} [0-9]{5}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}|[A-Z][0-9][A-Z] [0-9][A-Z][0-9])(?![\w-])|〒? ?[0-9]{3}-[0-9]{4} {0,2}(?:東京都|北海道|(?:大阪|京都)府|\p{Script=Han}{2,3}県)[^\s,、。]{2,40}|(?:東京都|北海道|(?:大阪|京都)府|\p{Script=Han}{2,3}県)\p{Script=Han}{1,8}[市区郡町村][^\s,、。]{1,30}[0-9０-９]{1,4}(?:丁目|番|[-−‐ー][0-9０-９]{1,4})|\b[A-ZÄÖÜ][\wäöüß-]{2,24}(?:straße|strasse|str\.|weg|platz|allee|gasse) [0-9]{1,4}[a-z]?,? (?:D-)?[0-9]{5} [A-ZÄÖÜ][\wäöüß-]{2,24})/gu,
  },
  { kind: 'phone number', pattern: /(?:\b(?:phone|tel|telephone|mobile|cell|fax|call|whatsapp|telefon|handy|teléfono|téléphone)|電話(?:番号)?|携帯|手机|电话|전화)(?: ?(?:no|number|nr|番号))?\.?["']?\s{0,3}[:=：]?\s{0,3}["']?((?:\([0-9]{2,5}\)|[0-9]{2,5})[ .-][0-9]{2,4}[ .-][0-9]{3,4})(?![0-9-])/gi },
  { kind: 'phone number', pattern: /(?<![0-9-])(0[5789]0-[0-9]{4}-[0-9]{4})(?![0-9-])/g },
];

/** About somebody's health. */
const medical: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'medical record number', pattern: /(?:\b(?:mrn|medical record(?: ?(?:no|number))?|patient ?(?:id|no|number)|nhs ?(?:no|number)|medicare ?(?:no|number))|患者番号|カルテ番号)\.?["']?\s{0,3}[:=#：]?\s{0,3}["']?((?=[A-Z0-9 -]{0,14}[0-9]{3})[A-Z0-9][A-Z0-9 -]{4,13}[A-Z0-9])(?![A-Za-z0-9])/gi },
  { kind: 'diagnosis', pattern: /(?:\b(?:diagnosis|diagnosed with|diagnoses|icd-?10(?:-cm)?(?: code)?|diagnose)|診断(?:名)?|病名)["']?\s{0,3}[:=：]?\s{0,3}["']?((?:[A-TV-Z][0-9]{2}(?:\.[0-9A-Z]{1,4})?\b)|(?:type [12] )?(?:diabetes|hiv|cancer|carcinoma|hypertension|depression|bipolar|schizophrenia|epilepsy|asthma|hepatitis|leuk[a]?emia|糖尿病|高血圧|うつ病|がん|癌|喘息)[\w ]{0,30})/giu },
];

export const healthKinds: ReadonlySet<string> = new Set(medical.map(({ kind }) => kind));

export function namedPersonalData(text: string): readonly Span[] {
  const found: Span[] = [];
  for (const { kind, pattern } of [...named, ...medical]) {
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? match[0];
      const start = match.index + match[0].lastIndexOf(value);
      found.push({ start, end: start + value.length, kind });
    }
  }
  return found;
}
