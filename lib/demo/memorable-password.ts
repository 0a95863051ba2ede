import { randomInt } from 'node:crypto';

const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';

/** Ten syllables such as `tami-rofe-kudo-lize-bapu`: some 61 bits, and still something that a person can type off a screen. */
export const memorablePassword = (): string => Array.from({ length: 5 }, () => syllable() + syllable()).join('-');

const syllable = (): string => consonants.charAt(randomInt(consonants.length)) + vowels.charAt(randomInt(vowels.length));
