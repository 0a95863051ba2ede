import type { RedactionKind } from './rule';

/**
 * Shapes of text that redaction replaces. Every pattern is linear: no repetition stands inside another.
 * They err on the side of replacing: a redaction that was not needed costs a question, one that is missing costs the data.
 */
const shapes: readonly { readonly kind: RedactionKind; readonly name: string; readonly pattern: RegExp }[] = [
  { kind: 'SECRET', name: 'private key', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g },
  { kind: 'SECRET', name: 'token', pattern: /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,255}|xox[abprs]-[A-Za-z0-9-]{10,255}|sk-[A-Za-z0-9_-]{16,255}|eyJ[A-Za-z0-9_-]{10,4096}\.[A-Za-z0-9_.-]{10,8192})/g },
  { kind: 'SECRET', name: 'password', pattern: /\b(?:password|passwd|secret|api[_-]?key|token)\b["']?\s{0,8}[:=]\s{0,8}\S{1,512}/gi },
  { kind: 'PII', name: 'address', pattern: /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g },
  { kind: 'FINANCIAL', name: 'account', pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g },
  { kind: 'FINANCIAL', name: 'card', pattern: /\b\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7}\b/g },
  { kind: 'PII', name: 'number', pattern: /\b\d{3}-\d{2}-\d{4}\b/g },
  { kind: 'PII', name: 'phone', pattern: /(?:\+\d{1,3}[ .-]?|\b0)\d{1,4}(?:[ .-]?\d{2,4}){2,4}\b/g },
];

/** True for the name of a field that holds a secret, as names are written: `apiKey`, `client_secret`, `X-Auth-Token`. */
export const namesSecret = (name: string): boolean =>
  /(?:^|[_.-])(?:passwords?|passwd|passphrase|secrets?|credentials?|token|(?:api|access|private|secret)_?keys?)$/i.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_'));

/** The text with what the kinds name replaced by `[redacted …]`. Redacting twice changes nothing more. */
export function redactText(text: string, what: readonly RedactionKind[]): string {
  if (what.includes('ALL')) return '[redacted]';
  let redacted = text;
  for (const { kind, name, pattern } of shapes) {
    // A card or account number is personal data too.
    const asked = what.includes(kind) || (kind === 'FINANCIAL' && what.includes('PII'));
    if (asked) redacted = redacted.replace(pattern, `[redacted ${name}]`);
  }
  return redacted;
}
