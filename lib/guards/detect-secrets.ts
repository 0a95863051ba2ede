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
  { kind: 'API key', pattern: /\b(?:whsec_[A-Za-z0-9]{24,64}|SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}|hf_[A-Za-z0-9]{30,64}|dop_v1_[a-f0-9]{64}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,64}|lin_api_[A-Za-z0-9]{32,64}|ntn_[A-Za-z0-9]{40,64}|dapi[a-f0-9]{32}|key-[a-f0-9]{32}|gsk_[A-Za-z0-9]{40,64}|xai-[A-Za-z0-9]{60,100}|pplx-[A-Za-z0-9]{40,64}|r8_[A-Za-z0-9]{36,44}|AC[a-f0-9]{32}(?=[^a-f0-9][^\n]{0,20}[a-f0-9]{32}))/g },
  { kind: 'access token', pattern: /\b(?:ya29\.[A-Za-z0-9_-]{30,512}|1\/\/0[A-Za-z0-9_-]{40,512}|EAA[A-Za-z0-9]{60,255}|hvs\.[A-Za-z0-9_-]{24,255}|hvb\.[A-Za-z0-9_-]{60,255}|pypi-AgE[A-Za-z0-9_-]{50,255}|dckr_pat_[A-Za-z0-9_-]{20,64}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,100}|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|ATATT3[A-Za-z0-9_=-]{60,255}|sbp_[a-f0-9]{40}|rubygems_[a-f0-9]{48}|figd_[A-Za-z0-9_-]{40,64}|pul-[a-f0-9]{40}|dp\.(?:pt|st|ct)\.[A-Za-z0-9]{40,64})/g },
  { kind: 'bot token', pattern: /(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])|\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b/g },
  { kind: 'webhook address', pattern: /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/]{20,100}|(?:discord|discordapp)\.com\/api\/webhooks\/[0-9]{15,22}\/[A-Za-z0-9_-]{40,100})/g },
  { kind: 'authorization', pattern: /(?<=\b(?:authorization|proxy-authorization)["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token|apikey)\s{1,3})[A-Za-z0-9+/=_.~-]{12,2048}/gi },
  { kind: 'storage key', pattern: /(?<=\b(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{40,100}={0,2}|(?<=[?&]sig=)[A-Za-z0-9%+/]{40,120}/g },
  { kind: 'age key', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/g },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'signed token', pattern: /\beyJ[A-Za-z0-9_-]{10,2048}\.eyJ[A-Za-z0-9_-]{10,4096}\.[A-Za-z0-9_-]{10,2048}/g },
  { kind: 'password in a URL', pattern: /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"']{1,64}:)[^\s:@/"'$<{]{6,128}(?=@[A-Za-z0-9.-]{1,255})/g },
];

const named = /(?<![A-Za-z])(?:[A-Za-z0-9_-]{0,32}(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credential)s?)["']?\s{0,4}(?::|=|:=|=>)\s{0,4}(["']?)([^\s"',;(){}[\]<>$`]{8,512})/gi;

/** What every pattern needs: something named or addressed, a heading, or a long stretch without blanks. Ordinary prose has none of it. */
const mayHoldSecret = /[:=]|-----|\S{15}/;

/** Secrets in a text. Conservative: code that fetches a secret and placeholders from documentation are none. */
export function detectSecrets(text: string): readonly Span[] {
  const read = text.slice(0, longestRead);
  if (!mayHoldSecret.test(read)) return [];
  const found: Span[] = [];
  for (const { kind, pattern } of issued) {
    for (const match of matchesOf(pattern, read)) {
      if (kind === 'private key' && match[0].replace(/-----[A-Z ]{0,60}-----|[^A-Za-z0-9+/]/g, '').length < shortestKey) continue;
      if (!isPlaceholder(match[0].replace(/^[A-Za-z]{2,6}[-_]/, ''))) found.push({ start: match.index, end: match.index + match[0].length, kind });
    }
  }
  for (const match of matchesOf(named, read)) {
    const value = match[2] ?? '';
    const end = match.index + match[0].length;
    const next = read[end] ?? '';
    // `getPassword(`, `os.environ[` and `${…}` fetch a secret; they do not hold it.
    if (next === '(' || next === '[' || next === '{' || (match[1] === '' && /^[A-Za-z_]+(?:\.[A-Za-z_]+)+$/.test(value))) continue;
    if (isPlaceholder(value) || !isRandomEnough(value) || /^[a-z]{2,8}:\/\//i.test(value)) continue;
    found.push({ start: end - value.length, end, kind: 'named secret' });
  }
  return withoutOverlaps(found);
}

/** Like `matchAll`, which copies the expression each time: most texts have no match of any, and then that is all it costs. None matches nothing. */
function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (!match) return none;
  const found: RegExpExecArray[] = [];
  for (; match; match = pattern.exec(text)) found.push(match);
  return found;
}

const none: readonly RegExpExecArray[] = [];

/** The heading alone is documentation. */
const shortestKey = 40;

function isPlaceholder(value: string): boolean {
  if (/^(?:my|some|the|test|your|user|db|app)?[-_]?(?:password|passwd|passw0rd|pass|pwd|secret|token|key|apikey)[0-9]{0,3}$/i.test(value)) return true;
  if (/example|placeholder|change[_-]?me|your[_-]|dummy|sample|redacted|\*{4}|\.{3}|x{6}|0{8}/i.test(value)) return true;
  return new Set(value.toLowerCase()).size < 5;
}

/** Letters and digits mixed, or long and varied: a word is no secret. */
function isRandomEnough(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const varied = new Set(value).size;
  return /[0-9]/.test(value) ? kinds >= 2 && varied >= 6 : kinds >= 3 && varied >= 10;
}
