/** Month names as people write them, in the languages of the lexicon's neighbours. Position is the month. */
const names = [
  ['january', 'jan', 'januar', 'janvier', 'janv', 'enero', 'ene', 'gennaio', 'gen', 'januari', 'janeiro'],
  ['february', 'feb', 'februar', 'février', 'fevrier', 'févr', 'febrero', 'febbraio', 'februari', 'fevereiro', 'fev'],
  ['march', 'mar', 'märz', 'maerz', 'mrz', 'mars', 'marzo', 'maart', 'março'],
  ['april', 'apr', 'avril', 'avr', 'abril', 'abr', 'aprile'],
  ['may', 'mai', 'mayo', 'maggio', 'mag', 'mei', 'maio'],
  ['june', 'jun', 'juni', 'juin', 'junio', 'giugno', 'giu', 'junho'],
  ['july', 'jul', 'juli', 'juillet', 'juil', 'julio', 'luglio', 'lug', 'julho'],
  ['august', 'aug', 'août', 'aout', 'agosto', 'ago', 'augustus'],
  ['september', 'sep', 'sept', 'septembre', 'septiembre', 'settembre', 'set', 'setembro'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre', 'ottobre', 'ott', 'outubro', 'out'],
  ['november', 'nov', 'novembre', 'noviembre', 'novembro'],
  ['december', 'dec', 'dezember', 'dez', 'décembre', 'decembre', 'déc', 'diciembre', 'dic', 'dicembre', 'dezembro'],
];
const monthOf = new Map(names.flatMap((spellings, at) => spellings.map((spelling): [string, number] => [spelling, at + 1])));
const month = `(${[...monthOf.keys()].sort((a, b) => b.length - a.length).join('|')})(?!\\p{L})\\.?`;

const ones = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
const dayWords = new Map<string, number>([
  ...ones.map((word, at): [string, number] => [word, at + 1]),
  ...['tenth', 'eleventh', 'twelfth', 'thirteenth', 'fourteenth', 'fifteenth', 'sixteenth', 'seventeenth', 'eighteenth', 'nineteenth', 'twentieth'].map((word, at): [string, number] => [word, at + 10]),
  ...ones.map((word, at): [string, number] => [`twenty-${word}`, at + 21]),
  ['thirtieth', 30], ['thirty-first', 31],
]);
const dayWord = new RegExp(`(?<!\\p{L})(${[...dayWords.keys()].sort((a, b) => b.length - a.length).join('|').replaceAll('-', '[ -]')})(?!\\p{L})`, 'gu');

const year = '(?:,? (?:de |del )?([0-9]{4}))?';
const dayFirst = new RegExp(`(?<![0-9\\p{L}])([0-9]{1,2})(?:st|nd|rd|th|er|º|\\.)?(?: of| de| di| d')? ?${month}${year}`, 'gu');
const monthFirst = new RegExp(`(?<!\\p{L})${month} (?:the )?([0-9]{1,2})(?:st|nd|rd|th)?${year}(?![0-9:])`, 'gu');
const anyMonth = new RegExp(`(?<!\\p{L})${month}`, 'u');

/** Dates in a plain text as `2024-05-26`, and as `--05-26` when the year is not said. Ambiguous ones count both ways. */
export function datesIn(lower: string): readonly string[] {
  const found: string[] = [];
  for (const match of lower.matchAll(/(?<![0-9])([0-9]{4})[-/.年] ?([0-9]{1,2})[-/.月] ?([0-9]{1,2})(?![0-9])/g)) found.push(date(match[1], match[2], match[3]));
  for (const match of lower.matchAll(/(?<![0-9])([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})(?![0-9])/g)) {
    found.push(date(match[3], match[2], match[1]), date(match[3], match[1], match[2]));
  }
  if (anyMonth.test(lower)) {
    const counted = lower.replace(dayWord, (word) => String(dayWords.get(word.replace(' ', '-')) ?? word));
    for (const match of counted.matchAll(dayFirst)) found.push(date(match[3], numberOf(match[2]), match[1]));
    for (const match of counted.matchAll(monthFirst)) found.push(date(match[3], numberOf(match[1]), match[2]));
  }
  return found.filter((one) => /^(?:[0-9]{4}|-)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/.test(one));
}

const numberOf = (name: string | undefined): string => String(monthOf.get(name ?? '') ?? '');

const date = (y: string | undefined, m: string | undefined, d: string | undefined): string =>
  `${y ?? '-'}-${(m ?? '').padStart(2, '0')}-${(d ?? '').padStart(2, '0')}`;

/** Times of day in a plain text as `14:30`. */
export function timesIn(lower: string): readonly string[] {
  const found: string[] = [];
  for (const match of lower.matchAll(/(?<![0-9:.])([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?\s?([ap])?(?:\.?m\.?)?(?![0-9\p{L}])/gu)) found.push(clock(match[1], match[2], match[3]));
  if (/[0-9]\s?(?:[ap]\.?m|h|uhr|時)/.test(lower)) {
    for (const match of lower.matchAll(/(?<![0-9:.])([0-9]{1,2})\s?([ap])\.?m\.?(?!\p{L})/gu)) found.push(clock(match[1], '00', match[2]));
    for (const match of lower.matchAll(/(?<![0-9:.])([0-9]{1,2})\s?(?:h|uhr|時)\s?([0-9]{2})?(?![0-9\p{L}])/gu)) found.push(clock(match[1], match[2] ?? '00', undefined));
  }
  if (/\bnoon\b|正午/.test(lower)) found.push('12:00');
  if (/\bmidnight\b/.test(lower)) found.push('00:00');
  return found.filter((one) => one <= '24:00');
}

function clock(hours: string | undefined, minutes: string | undefined, half: string | undefined): string {
  const hour = Number(hours ?? 0);
  const day = half === 'p' && hour < 12 ? hour + 12 : half === 'a' && hour === 12 ? 0 : hour;
  return `${String(day).padStart(2, '0')}:${minutes ?? '00'}`;
}
