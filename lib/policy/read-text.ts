import { parseStrictJson } from '@/lib/shared/strict-json';
import { bounds } from '@/lib/shared/bounds';

import { inOrder } from './diagnostics';
import { hiddenCharacters } from './hidden-characters';
import { policyBlocks } from './policy-blocks';
import { composeYaml, type Composed } from './read-yaml';

export const policyFormats = ['yaml', 'json', 'markdown'] as const;
export type PolicyFormat = (typeof policyFormats)[number];

/** A policy's text as a value with positions. Markdown keeps its lines: what is prose is blanked, so positions stay true. */
export function readText(text: string, format: PolicyFormat): Composed {
  switch (format) {
    case 'json': {
      const parsed = parseStrictJson(text, { depth: bounds.jsonDepth, nodes: 1_000_000, length: bounds.policyBytes });
      if (parsed.ok) return seen(text, text);
      const [first] = parsed.error.issues ?? [];
      return { read: null, issues: [{ path: first?.path ?? '', message: parsed.error.detail, fix: parsed.error.fix ?? first?.fix ?? 'Correct the JSON here.', line: first?.line ?? 1, column: first?.column ?? 1 }] };
    }
    case 'markdown': {
      const { yaml, issues } = policyBlocks(text);
      return yaml === null ? { read: null, issues } : seen(text, yaml);
    }
    case 'yaml':
      return seen(text, text);
  }
}

/** What is read, with what of it people cannot see. */
function seen(text: string, rules: string): Composed {
  const composed = composeYaml(rules);
  const hidden = hiddenCharacters(text, rules);
  return hidden.length === 0 ? composed : { read: composed.read, issues: inOrder([...hidden, ...composed.issues]) };
}

/** By the file's name: `.json`, `.md` or `.markdown`, else YAML. */
export function formatOf(fileName: string): PolicyFormat {
  if (/\.json$/i.test(fileName)) return 'json';
  return /\.(?:md|markdown)$/i.test(fileName) ? 'markdown' : 'yaml';
}
