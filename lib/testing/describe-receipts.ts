import type { z } from 'zod';

import { heldActionSchema } from '@/lib/approvals/parse-held-action';
import { contentReferences } from '@/lib/ledger/content-references';
import { bodyOf } from '@/lib/ledger/parse-predicate';
import { missingField, obligation, permitTerms, identity } from '@/lib/ledger/predicates/decisions';
import { actionReference, actor } from '@/lib/ledger/predicates/fields';
import { attribute } from '@/lib/ledger/predicates/sessions';
import { receiptSchemas, type ReceiptBody, type ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { subjectOf } from '@/lib/ledger/subject';
import { publicKeyField } from '@/lib/shared/document-fields';
import { errorCodes } from '@/lib/shared/error-codes';
import { idPrefixes, type IdKind } from '@/lib/shared/ids';

import { customName, describeFields, type Named } from './describe-schema';

const shapes = { Actor: actor, Action: actionReference, Key: publicKeyField, Identity: identity, Obligation: obligation, Permit: permitTerms, Missing: missingField, Attribute: attribute, Held: heldActionSchema };
const named: Named = new Map(Object.entries(shapes).map(([name, schema]) => [schema, name]));

const block = (text: string): string => `\`\`\`\n${text}\n\`\`\``;

/** The field tables of the format's page: shapes, then every kind of receipt with its subject and the contents that it names. */
export function describeReceipts(): string {
  const shared = Object.entries(shapes).map(([name, schema]) => `**${name}**\n\n${block(describeFields(schema, withoutItself(schema)))}`);
  const kinds = (Object.keys(receiptSchemas) as ReceiptKind[]).map((kind) => {
    const contents = contentPaths(kind);
    return [
      `### ${kind}`,
      `Subject ${subjectRule(kind)}.${contents.length > 0 ? ` Names contents: ${contents.map((path) => `\`${path}\``).join(', ')}.` : ''}`,
      block(describeFields(receiptSchemas[kind], named).split('\n').slice(3).join('\n')),
    ].join('\n\n');
  });
  const codes = `**code**: one of ${Object.keys(errorCodes).sort().map((one) => `\`${one}\``).join(', ')}.`;
  return [codes, ...shared, ...kinds].join('\n\n');
}

const withoutItself = (schema: z.core.$ZodType): Named => new Map([...named].filter(([one]) => one !== schema));

/** The subject's rule, read off by asking for that of a predicate whose every field answers with its own name. */
function subjectRule(kind: ReceiptKind): string {
  const zero = new Uint8Array(32);
  const { name, digest } = subjectOf(() => zero, bodyOf(kind, spoken('') as never));
  const shown = String(digest);
  return `\`${name}\`, digest ${/^0{64}$/.test(shown) ? 'of the name' : `\`${shown.slice(1, -1)}\``}`;
}

function spoken(path: string): unknown {
  return new Proxy(() => undefined, {
    get: (_target, name) => (typeof name === 'symbol' || name === 'toString' ? () => `<${path}>` : spoken(path === '' ? name : `${path}.${name}`)),
  });
}

/** Where contents are named, found by asking for those of a predicate whose every digest tells its place. */
function contentPaths(kind: ReceiptKind): readonly string[] {
  const places = new Map<string, string>();
  const sample = sampleOf(receiptSchemas[kind], '', places);
  return contentReferences({ kind, predicate: sample } as ReceiptBody).map((digest) => places.get(digest) ?? digest);
}

function sampleOf(schema: z.core.$ZodType, path: string, places: Map<string, string>): unknown {
  const inner = (one: z.core.$ZodType): unknown => sampleOf(one, path, places);
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries((schema as z.ZodObject)._zod.def.shape).map(([name, field]) => [name, sampleOf(field, path === '' ? name : `${path}.${name}`, places)]));
    case 'array':
      return [sampleOf((schema as z.ZodArray)._zod.def.element, `${path}[]`, places)];
    case 'optional':
    case 'nullable':
      return inner((schema as z.ZodNullable)._zod.def.innerType);
    case 'custom': {
      if (customName(schema) !== 'digest') return path;
      const digest = String(places.size + 1).padStart(64, '0');
      places.set(digest, path);
      return digest;
    }
    default:
      return path;
  }
}

/** The kinds of id that receipts are written with, by prefix. */
export const idTable = (): string => (Object.keys(idPrefixes) as IdKind[]).map((kind) => `\`${idPrefixes[kind]}_\` ${kind}`).join(', ');
