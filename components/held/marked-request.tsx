import { ProvenanceValue } from '@/components/ui/provenance';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { HeldArgument } from '@/lib/approvals/held-action';

import { shownValue } from './shown-value';

/** The request with the arguments' values that stand in it, marked. */
export function MarkedRequest({ text, args }: { readonly text: string; readonly args: readonly HeldArgument[] }) {
  return cut(text, valuesIn(text, args)).map((piece, index) =>
    piece.marked ? <ProvenanceValue key={index} origin="request" value={piece.text} /> : <UntrustedText key={index} text={piece.text} />,
  );
}

/** The longest first, so that a value inside another does not cut it in two. Single characters would mark every other word. */
const valuesIn = (text: string, args: readonly HeldArgument[]): readonly string[] =>
  [...new Set(args.filter(({ source }) => source === 'request').map(({ value }) => shownValue(value)))]
    .filter((value) => value.length > 1 && text.toLowerCase().includes(value.toLowerCase()))
    .sort((left, right) => right.length - left.length);

type Piece = { readonly text: string; readonly marked: boolean };

function cut(text: string, values: readonly string[]): readonly Piece[] {
  let pieces: readonly Piece[] = [{ text, marked: false }];
  for (const value of values) pieces = pieces.flatMap((piece) => (piece.marked ? [piece] : cutOnce(piece.text, value)));
  return pieces;
}

/** The first place only: where the value was found. A lower-case form of another length would cut in the wrong place, so then nothing is marked. */
function cutOnce(text: string, value: string): readonly Piece[] {
  const lower = text.toLowerCase();
  const at = lower.length === text.length ? lower.indexOf(value.toLowerCase()) : text.indexOf(value);
  if (at < 0) return [{ text, marked: false }];
  const end = at + value.length;
  const parts = [{ text: text.slice(0, at), marked: false }, { text: text.slice(at, end), marked: true }, { text: text.slice(end), marked: false }];
  return parts.filter((part) => part.text !== '');
}
