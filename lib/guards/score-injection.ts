import { injectionSigns, type InjectionSign } from './injection-signs';
import { hiddenReadings, plainReading } from './readings';
import { longestRead, type Span } from './span';

export type Instructions = {
  /** 0 to 1000 thousandths: independent signs add up as chances do, so a second weak sign raises a first one and nothing passes 1000. */
  readonly score: number;
  /** Where the signs stand in the text as it came; none for what only a decoder reads. */
  readonly spans: readonly Span[];
};

/** From this score on (thousandths) a text is said to give instructions; below it there are only signs. */
export const instructionsFrom = 500;

/** Text that has to be decoded first and then gives orders was hidden: that is a sign of its own. */
const hidingWeight = 300;
const longestSpan = 400;
const mostSpans = 20;

/** How much a text looks like instructions to the agent, in itself and in what a decoder makes of it, and where. */
export function detectInstructions(text: string): Instructions {
  const read = text.slice(0, longestRead);
  const open = scoreOf(plainReading(read));
  let score = open;
  for (const reading of hiddenReadings(read)) {
    const hidden = scoreOf(reading);
    if (hidden > open) score = Math.max(score, withSign(hidden, hidingWeight));
  }
  return { score, spans: open === 0 ? [] : spansOf(read) };
}

export const scoreInjection = (text: string): number => detectInstructions(text).score;

function scoreOf(reading: string): number {
  let score = 0;
  for (const sign of injectionSigns) if (bears(reading, sign)) score = withSign(score, sign.weight);
  return score;
}

/** Around each word that the pattern needs; where there are too many of them, everywhere at once. */
function bears(reading: string, { near, pattern }: InjectionSign): boolean {
  if (!near) return pattern.test(reading);
  let left = mostWindows;
  for (const word of near) {
    for (let at = reading.indexOf(word); at >= 0; at = reading.indexOf(word, at + 1)) {
      if (left-- <= 0) return pattern.test(reading);
      if (pattern.test(reading.slice(Math.max(0, at - windowSize), at + windowSize))) return true;
    }
  }
  return false;
}

const mostWindows = 300;
/** More than any pattern reaches from one of its words. */
const windowSize = 600;

const withSign = (score: number, weight: number): number => 1000 - Math.floor(((1000 - score) * (1000 - weight)) / 1000);

/** The plain form letter by letter, so that a place in it is a place in the text. */
function spansOf(text: string): readonly Span[] {
  let plain = '';
  const places: number[] = [];
  let at = 0;
  for (const letter of text) {
    const reading = letter < '\x80' ? letter.toLowerCase() : plainReading(letter);
    const blank = reading.trim() === '' && reading !== '\n' && reading !== '';
    if (!(blank && plain.endsWith(' '))) {
      for (let unit = blank ? 1 : reading.length; unit > 0; unit--) places.push(at);
      plain += blank ? ' ' : reading;
    }
    at += letter.length;
  }
  const spans: Span[] = [];
  for (const { pattern } of injectionSigns) {
    const found = pattern.exec(plain);
    if (!found || spans.length >= mostSpans) continue;
    const start = places[found.index] ?? 0;
    const end = places[found.index + found[0].length] ?? text.length;
    spans.push({ start, end: Math.min(end, start + longestSpan), kind: 'instruction' });
  }
  return spans.sort((a, b) => a.start - b.start);
}
