import { longestRead, withoutOverlaps, type Span } from './span';

/** Formats that issuers publish: finding one needs no context. Every pattern is linear. */
const issued: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'private key', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,8192}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g },
  { kind: 'AWS key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{50,255})\b/g },
  { kind: 'GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,64}/g },
  { kind: 'Slack token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{20,255}/g },
  { kind: 'API key', pattern: /\b(?:sk|rk|pk)[-_](?:live|test|proj|ant|or)[-_][A-Za-z0-9_-]{12,255}/g },
  { kind: 'API key', pattern: /\bsk-[A-Za-z0-9]{32,255}\b/g },
  { kind: 'Google key', pattern: /\bAIza[A-Za-z0-9_-]{35}\b/g },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'signed token', pattern: /\beyJ[A-Za-z0-9_-]{10,2048}\.eyJ[A-Za-z0-9_-]{10,4096}\.[A-Za-z0-9_-]{10,2048}/g },
  { kind: 'password in a URL', pattern: /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"']{1,64}:)[^\s:@/"'$<{]{6,128}(?=@[A-Za-z0-9.-]{1,255})/g },
];

const named = /(?<![A-Za-z])(?:[A-Za-z0-9_-]{0,32}(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credential)s?)["']?\s{0,4}(?::|=|:=|=>)\s{0,4}(["']?)([^\s"',;(){}[\]<>$`]{8,512})/gi;

/** Secrets in a text. Conservative: code that fetches a secret and placeholders from documentation are none. */
export function detectSecrets(text: string): readonly Span[] {
  const read = text.slice(0, longestRead);
  const found: Span[] = [];
  for (const { kind, pattern } of issued) {
    for (const match of read.matchAll(pattern)) {
      if (!isPlaceholder(match[0].replace(/^[A-Za-z]{2,6}[-_]/, ''))) found.push({ start: match.index, end: match.index + match[0].length, kind });
    }
  }
  for (const match of read.matchAll(named)) {
    const value = match[2] ?? '';
    const end = match.index + match[0].length;
    const next = read[end] ?? '';
    // `getPassword(`, `os.environ[` and `${…}` fetch a secret; they do not hold it.
    if (next === '(' || next === '[' || next === '{' || (match[1] === '' && /^[A-Za-z_]+(?:\.[A-Za-z_]+)+$/.test(value))) continue;
    if (isPlaceholder(value) || !isRandomEnough(value)) continue;
    found.push({ start: end - value.length, end, kind: 'named secret' });
  }
  return withoutOverlaps(found);
}

function isPlaceholder(value: string): boolean {
  if (/example|placeholder|change[_-]?me|your[_-]|dummy|sample|redacted|\*{4}|\.{3}|x{6}|0{8}/i.test(value)) return true;
  return new Set(value.toLowerCase()).size < 5;
}

/** Letters and digits mixed, or long and varied: a word is no secret. */
function isRandomEnough(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const varied = new Set(value).size;
  return /[0-9]/.test(value) ? kinds >= 2 && varied >= 6 : kinds >= 3 && varied >= 10;
}
