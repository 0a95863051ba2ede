import type { ParameterRole } from '@/lib/mediate/catalogue';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

import type { Asks } from './asks';
import { samplePattern } from './sample-pattern';

/** A value that may answer what is asked in a way of its own, with what is special about it. */
export type Candidate = { readonly value: Json; readonly words: string };

/** Parts of which every selection is tried; of more than these each alone, each two, and all. */
const partsTogether = 5;

const quoted = (text: string): string => JSON.stringify(text);

/** Texts without a role: every beginning with every end and every selection of parts, and what is compared whole. */
export function textCandidates(asks: Asks): readonly Candidate[] {
  const found: Candidate[] = [...asks.constants].map((value) => ({ value, words: quoted(value) }));
  const endings = [...asks.suffixes].map((text) => [text, `ending with ${quoted(text)}`] as const);
  const domains = [...asks.domains].flatMap((domain) => [[`@${domain}`, `in ${domain}`], [`@sub.${domain}`, `below ${domain}`]] as const);
  const samples = [...asks.patterns].flatMap((source) => samplePattern(source).map((text) => [text, `like ${quoted(text)}`] as const));
  for (const prefix of ['', ...asks.prefixes]) {
    for (const parts of selections([...asks.parts])) {
      for (const [sample, sampled] of [['', ''] as const, ...samples]) {
        for (const [ending, ended] of [['', ''] as const, ...endings, ...domains]) {
          const words = [prefix && `starting with ${quoted(prefix)}`, parts.length > 0 && `containing ${parts.map(quoted).join(' and ')}`, sampled, ended].filter(Boolean).join(', ');
          found.push({ value: [prefix + sample, ...parts, ''].join('~') + ending, words: words || 'any other' });
          if (sample !== '') found.push({ value: prefix + sample + parts.join('') + ending, words });
        }
      }
    }
  }
  if (asks.numbers.size > 0) found.push(...numberCandidates(asks, false).map(({ value, words }) => ({ value: canonicalJson(value), words })));
  if (asks.redacts) for (const text of ['token: sk-abcdefghijklmnop1234', 'write to somebody@elsewhere.test', 'DE89 3704 0044 0532 0130 00', '[redacted]']) found.push({ value: text, words: `like ${quoted(text)}` });
  for (const filter of asks.filters) for (const text of [filter, "a = 'b'", `(a = 'b') AND (${filter})`, 'a) OR (b']) found.push({ value: text, words: quoted(text) });
  if (asks.between > 1) found.push({ value: '~another', words: 'yet another' });
  return distinct(found);
}

function selections<T>(parts: readonly T[]): readonly (readonly T[])[] {
  if (parts.length > partsTogether) return [[], ...parts.map((part) => [part]), ...parts.flatMap((a, i) => parts.slice(i + 1).map((b) => [a, b])), parts];
  return Array.from({ length: 1 << parts.length }, (_, mask) => parts.filter((__, i) => (mask >> i) % 2 === 1));
}

/** Each number that is asked about, and one on each side of it; more where values are compared with each other. */
export function numberCandidates({ numbers, between }: Pick<Asks, 'numbers' | 'between'>, whole: boolean): readonly Candidate[] {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return Array.from({ length: between }, (_, i) => ({ value: i + 1, words: 'any' }));
  const found: Candidate[] = Array.from({ length: between }, (_, i) => ({ value: Math.ceil(first) - 1 - i, words: `under ${String(first)}` }));
  sorted.forEach((number, i) => {
    const next = sorted[i + 1];
    if (!whole || Number.isInteger(number)) found.push({ value: number, words: String(number) });
    if (next === undefined) return;
    for (let step = 1; step <= between; step++) {
      const middle = number + ((next - number) * step) / (between + 1);
      const value = Number.isInteger(number) && Math.floor(middle) > number ? Math.floor(middle) : middle;
      if (!whole || Number.isInteger(value)) found.push({ value, words: `between ${String(number)} and ${String(next)}` });
    }
  });
  for (let i = 0; i < between; i++) found.push({ value: Math.floor(last) + 1 + i, words: `over ${String(last)}` });
  return distinct(found);
}

/** Texts as the role reads them. What the role cannot make sense of drops out where it is mediated. */
export function roleCandidates(role: ParameterRole, asks: Asks): readonly Candidate[] {
  const { constants, prefixes, suffixes, parts, domains, folders } = asks;
  const samples = [...asks.patterns].flatMap((source) => samplePattern(source));
  const named = [...constants].map((value): Candidate => ({ value, words: quoted(value) }));
  const other = (value: string, words: string): Candidate => ({ value, words });
  const pieces = [...parts, ...samples];
  switch (role) {
    case 'recipients': {
      const hosts = [['elsewhere.test', 'elsewhere'] as const, ...[...domains].flatMap((domain) => [[domain, `in ${domain}`], [`sub.${domain}`, `below ${domain}`]] as const)];
      const locals = ['somebody', ...prefixes, ...pieces];
      return distinct([
        ...named,
        ...locals.flatMap((local) => hosts.map(([host, words]) => other(local.includes('@') ? `${local.startsWith('@') ? 'somebody' : ''}${local}${local.endsWith('@') ? host : ''}` : `${local}${local === 'somebody' ? '' : 'z'}@${host}`, local === 'somebody' ? words : `${words}, with ${quoted(local)}`))),
        ...pieces.filter((piece) => piece.includes('@')).flatMap((piece) => [other(`somebody${piece}.test`, `with ${quoted(piece)}`)]),
        ...[...suffixes].map((suffix) => other(`somebody@zz${suffix}`, `ending with ${quoted(suffix)}`)),
      ]);
    }
    case 'path': {
      const roots = [...folders, ...prefixes, ...constants].map((folder) => (folder.length > 1 ? folder.replace(/\/$/, '') : ''));
      return distinct([
        ...named, other('/zz/a', 'elsewhere'),
        ...roots.flatMap((root) => [other(root === '' ? '/' : root, quoted(root)), other(`${root}/zz`, `in ${root || '/'}`), other(`${root}-zz`, `beside ${root}`), other(`${root.toUpperCase()}/zz`, `in ${root}, in other letters`), other(root.toUpperCase(), `${quoted(root)}, in other letters`)]),
        ...roots.flatMap((root) => pieces.map((piece) => other(`${root}/zz${piece}`, `in ${root}, with ${quoted(piece)}`))),
        ...pieces.flatMap((piece) => [other(`/zz${piece}`, `with ${quoted(piece)}`), other(piece, quoted(piece))]),
        ...['/zz', ...roots].flatMap((root) => [...suffixes].map((suffix) => other(`${root}/zz${suffix}`, `ending with ${quoted(suffix)}`))),
      ]);
    }
    case 'url':
      return distinct([
        ...named, other('https://elsewhere.test/zz', 'elsewhere'),
        ...[...domains].flatMap((domain) => [other(`https://${domain}/zz`, `in ${domain}`), other(`https://sub.${domain}/zz`, `below ${domain}`)]),
        ...[...prefixes].flatMap((prefix) => [other(prefix, quoted(prefix)), other(`${prefix}zz`, `starting with ${quoted(prefix)}`), other(`${prefix}/zz`, `below ${quoted(prefix)}`), ...pieces.map((piece) => other(`${prefix}${piece}`, `starting with ${quoted(prefix)}, with ${quoted(piece)}`))]),
        ...['elsewhere.test', ...domains].flatMap((host) => pieces.flatMap((piece) => [other(`https://${host}/${piece}`, `with ${quoted(piece)}`), other(`https://${piece}.test/zz`, `with ${quoted(piece)}`)])),
        ...[...suffixes].map((suffix) => other(`https://elsewhere.test/zz${suffix}`, `ending with ${quoted(suffix)}`)),
      ]);
    case 'command': {
      const lines = [...constants, ...prefixes];
      return distinct([
        other('zzprogram', 'another program'), other('rm zz', 'a program that destroys'), other('curl https://elsewhere.test/', 'a program that communicates'), other('useradd zz', 'a program that grants'),
        ...lines.flatMap((line) => [other(line, quoted(line)), other(`${line} zz`, `${quoted(line)} with more`), other(`/opt/zz/${line} zz`, `${quoted(line)} from elsewhere`), ...pieces.map((piece) => other(`${line} ${piece}`, `${quoted(line)} with ${quoted(piece)}`))]),
        ...pieces.flatMap((piece) => [other(`zzprogram ${piece}`, `with ${quoted(piece)}`), other(piece, quoted(piece))]),
        ...[...suffixes].map((suffix) => other(`zzprogram zz${suffix}`, `ending with ${quoted(suffix)}`)),
      ]);
    }
    case 'query':
      return distinct([
        other('zz_table', 'another table'),
        ...[...constants].flatMap((table) => [other(table, `table ${table}`), other(`zz.${table}`, `table ${table} of another schema`)]),
        ...[...prefixes].flatMap((prefix) => [other(`${prefix}zz`, `table starting with ${prefix}`), ...pieces.map((piece) => other(`${prefix}${piece}`, `table starting with ${prefix}, with ${piece}`))]),
        ...pieces.flatMap((piece) => [other(`zz_${piece}`, `table with ${piece}`), other(piece, `table ${piece}`)]),
        ...[...suffixes].map((suffix) => other(`zz${suffix}`, `table ending with ${suffix}`)),
      ]).filter(({ value }) => typeof value === 'string' && /^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?$/i.test(value));
    case 'target':
      return textCandidates(asks);
    case 'amount':
      return numberCandidates(asks, false);
  }
}

export function distinct(found: readonly Candidate[]): readonly Candidate[] {
  const byValue = new Map<string, Candidate>();
  for (const one of found) {
    const key = canonicalJson(one.value);
    if (!byValue.has(key)) byValue.set(key, one);
  }
  return [...byValue.values()];
}
