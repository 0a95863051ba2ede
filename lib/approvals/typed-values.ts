import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

import { leavesOf } from './leaves';

/**
 * What of edited parameters the person typed, by parameter: that alone counts as their word. `before` are the parameters that were there
 * (a, and a′ where policy changed it). A text that stood in any of them is not typed by moving it, and of a text only the runs of words
 * that are new: correcting one word vouches for no other. Numbers and the like are compared within their own parameter.
 */
export function typedIn(before: readonly JsonObject[], after: JsonObject): JsonObject {
  const leaves = before.flatMap((parameters) => leavesOf(parameters).map(({ value }) => value));
  const texts = new Set(leaves.filter((value) => typeof value === 'string'));
  const words = new Set([...texts].flatMap((text) => wordsOf(text).map(({ word }) => word)));
  const typed = Object.keys(after).sort().map((name): [string, Json[]] => {
    const known = new Set(before.flatMap((parameters) => leavesIn(parameters, name)).map((value) => canonicalJson(value)));
    return [name, leavesIn(after, name).flatMap((value): Json[] => {
      if (typeof value === 'string') return texts.has(value) ? [] : runsOf(value, words);
      return known.has(canonicalJson(value)) ? [] : [value];
    })];
  });
  return Object.fromEntries(typed.filter(([, values]) => values.length > 0));
}

/** Whether all that is said to be typed stands in the parameters that the person signed: nothing else can be their word. */
export function isTypedIn(typed: Json, after: JsonObject): boolean {
  if (!isJsonObject(typed)) return false;
  return Object.entries(typed).every(([name, values]) => {
    const leaves = leavesIn(after, name);
    return isJsonArray(values) && values.every((value) => leaves.some((leaf) => (typeof value === 'string' && typeof leaf === 'string' ? leaf.includes(value) : canonicalJson(value) === canonicalJson(leaf))));
  });
}

function leavesIn(parameters: JsonObject, name: string): readonly Json[] {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return value === undefined ? [] : leavesOf({ value }).map((leaf) => leaf.value);
}

/** Words as they are compared: a comma, a bracket or a capital beside one makes no new one. */
function wordsOf(text: string): readonly { readonly word: string; readonly from: number; readonly to: number }[] {
  const found = [...text.matchAll(/[^\s,;<>()[\]{}"'`|=]+/gu)].map(({ 0: word, index }) => ({ word: word.toLowerCase().replace(/^[.:!?]+|[.:!?]+$/gu, ''), from: index, to: index + word.length }));
  return found.filter(({ word }) => word !== '');
}

/** The longest pieces of a text whose words are all new, with what is between them as it is. */
function runsOf(text: string, known: ReadonlySet<string>): Json[] {
  const runs: { from: number; to: number }[] = [];
  let inRun = false;
  for (const { word, from, to } of wordsOf(text)) {
    const last = runs.at(-1);
    if (known.has(word)) inRun = false;
    else if (inRun && last) last.to = to;
    else {
      runs.push({ from, to });
      inRun = true;
    }
  }
  return runs.map(({ from, to }) => text.slice(from, to));
}
