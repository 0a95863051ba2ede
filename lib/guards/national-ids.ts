import type { Span } from './span';

/** One country's number for a person: its form, its check digits, and whether the form is so common that a word beside it has to say what it is. */
type NationalId = { readonly kind: string; readonly pattern: RegExp; readonly holds: (compact: string) => boolean; readonly beside?: RegExp };

const digitsOf = (text: string): readonly number[] => [...text].map(Number);
const weighted = (digits: readonly number[], weights: readonly number[]): number => weights.reduce((sum, weight, i) => sum + weight * (digits[i] ?? 0), 0);
const varied = (compact: string): boolean => new Set(compact).size > 2;

const ids: readonly NationalId[] = [
  // Spain: DNI and NIE, the letter is the number modulo 23 (Real Decreto 1553/2005).
  { kind: 'Spanish identity number', pattern: /(?<![A-Za-z0-9])(?:[0-9]{8}|[XYZ][0-9]{7})[- ]?[A-HJ-NP-TV-Z](?![A-Za-z0-9])/g, holds: (id) => 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(id.slice(0, -1).replace('X', '0').replace('Y', '1').replace('Z', '2')) % 23] === id.at(-1) },
  // France: NIR, the last two digits are 97 minus the rest modulo 97 (INSEE).
  { kind: 'French social security number', pattern: /(?<![A-Za-z0-9])[12] [0-9]{2} ?(?:0[1-9]|1[0-2]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}(?![A-Za-z0-9])/g, holds: (id) => 97 - Number(BigInt(id.slice(0, 13).replace('2A', '19').replace('2B', '18')) % 97n) === Number(id.slice(13)) },
  // Italy: codice fiscale (Decreto ministeriale 12 marzo 1974).
  { kind: 'Italian tax code', pattern: /(?<![A-Za-z0-9])[A-Z]{6}[0-9]{2}[ABCDEHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z](?![A-Za-z0-9])/g, holds: holdsCodiceFiscale },
  // Brazil: CPF, two check digits modulo 11.
  { kind: 'Brazilian tax number', pattern: /(?<![0-9.])[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}(?![0-9])/g, holds: (id) => varied(id) && [9, 10].every((n) => ((weighted(digitsOf(id), Array.from({ length: n }, (_, i) => n + 1 - i)) * 10) % 11) % 10 === Number(id[n])) },
  // China: resident identity number, ISO 7064 MOD 11-2 (GB 11643).
  { kind: 'Chinese identity number', pattern: /(?<![A-Za-z0-9])[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9X](?![A-Za-z0-9])/g, holds: (id) => '10X98765432'[weighted(digitsOf(id.slice(0, 17)), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === id.at(-1) },
  // South Korea: resident registration number; since 2020 the last digits are random, so the form with its date has to do.
  { kind: 'Korean registration number', pattern: /(?<![0-9-])[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])-[1-8][0-9]{6}(?![0-9-])/g, holds: varied },
  // Switzerland: AHV number, an EAN-13 that begins with 756.
  { kind: 'Swiss insurance number', pattern: /(?<![0-9.])756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}(?![0-9])/g, holds: (id) => weighted(digitsOf(id), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0 },
  // Sweden: personal identity number, Luhn over ten digits.
  { kind: 'Swedish identity number', pattern: /(?<![0-9-])(?:19|20)?[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[-+][0-9]{4}(?![0-9-])/g, holds: (id) => weighted(digitsOf(id.slice(-10)).map((digit, i) => (i % 2 === 0 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit)), Array.from({ length: 10 }, () => 1)) % 10 === 0 },
  // United Kingdom: national insurance number (HMRC's prefixes).
  { kind: 'UK insurance number', pattern: /(?<![A-Za-z0-9])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D](?![A-Za-z0-9])/g, holds: () => true },
  // The others are plain numbers: somebody has to call them what they are.
  { kind: 'Japanese individual number', pattern: /(?<![0-9])[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}(?![0-9])/g, beside: /マイナンバー|個人番号|my ?number/i, holds: (id) => { const rest = weighted(digitsOf(id), [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11; return (rest <= 1 ? 0 : 11 - rest) === Number(id[11]); } },
  { kind: 'Indian identity number', pattern: /(?<![0-9])[2-9][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}(?![0-9])/g, beside: /aadhaar|aadhar|आधार/i, holds: varied },
  { kind: 'Canadian insurance number', pattern: /(?<![0-9])[1-79][0-9]{2}[ -]?[0-9]{3}[ -]?[0-9]{3}(?![0-9])/g, beside: /\bsin\b|social insurance|\bnas\b/i, holds: (id) => weighted(digitsOf(id).map((digit, i) => (i % 2 === 1 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit)), Array.from({ length: 9 }, () => 1)) % 10 === 0 },
  { kind: 'German tax number', pattern: /(?<![0-9])[1-9][0-9](?: ?[0-9]{3}){3}(?![0-9])/g, beside: /steuer-?id|steuerliche identifikationsnummer|\bidnr\b|\btax id\b/i, holds: holdsMod1110 },
  { kind: 'Dutch service number', pattern: /(?<![0-9])[0-9]{9}(?![0-9])/g, beside: /\bbsn\b|burgerservicenummer/i, holds: (id) => weighted(digitsOf(id), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 },
  { kind: 'Polish identity number', pattern: /(?<![0-9])[0-9]{11}(?![0-9])/g, beside: /pesel/i, holds: (id) => weighted(digitsOf(id), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0 },
  { kind: 'Australian tax number', pattern: /(?<![0-9])[0-9]{3} ?[0-9]{3} ?[0-9]{3}(?![0-9])/g, beside: /\btfn\b|tax file/i, holds: (id) => weighted(digitsOf(id), [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 },
];

const reach = 40;

/** Numbers that a state gives to a person. */
export function nationalIds(text: string): readonly Span[] {
  const found: Span[] = [];
  for (const { kind, pattern, holds, beside } of ids) {
    if (beside && !beside.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      if (beside && !beside.test(text.slice(Math.max(0, match.index - reach), match.index + match[0].length + reach))) continue;
      if (holds(match[0].replace(/[ .+-]/g, ''))) found.push({ start: match.index, end: match.index + match[0].length, kind });
    }
  }
  return found;
}

function holdsCodiceFiscale(id: string): boolean {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
  const place = (character: string): number => (/[0-9]/.test(character) ? Number(character) : character.charCodeAt(0) - 65);
  const sum = [...id.slice(0, 15)].reduce((total, character, i) => total + (i % 2 === 0 ? (odd[place(character)] ?? 0) : place(character)), 0);
  return String.fromCharCode(65 + (sum % 26)) === id[15];
}

/** ISO 7064 MOD 11,10. */
function holdsMod1110(id: string): boolean {
  let product = 10;
  for (const digit of digitsOf(id.slice(0, -1))) {
    const sum = (digit + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === Number(id.at(-1));
}
