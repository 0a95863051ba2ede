import { fromBase64 } from '@/lib/shared/encoding';

import { isReceiptKind, type ReceiptKind } from './receipt-predicate';

/** Digits of base64 that hold the end of nearly every statement: its predicate type and its subject. A longer one has to be read whole. */
const tail = 480;
const begins = '{"payload":"';
const stated = /^"predicateType":"https:\/\/countersign\.dev\/receipt\/([a-z_]+)\/v1","subject":\[/;

/**
 * The kind that the canonical text of a receipt's envelope states, read off its end: for whoever looks through many for few. Undefined:
 * it cannot be told like this, so the receipt has to be read. In canonical JSON the statement's own type is the last of that name:
 * quotes within texts are escaped, and the subject behind it has no such field.
 */
export function statedKind(envelope: string): ReceiptKind | undefined {
  const end = envelope.startsWith(begins) ? envelope.indexOf('"', begins.length) : -1;
  const bytes = end < 0 ? undefined : fromBase64(envelope.slice(Math.max(begins.length, end - tail), end));
  if (!bytes) return undefined;
  // What matters is ASCII; a character that the cut or this reading breaks stands before or within texts.
  const text = String.fromCharCode(...bytes);
  const kind = stated.exec(text.slice(text.lastIndexOf('"predicateType":')))?.[1];
  return kind !== undefined && isReceiptKind(kind) ? kind : undefined;
}
