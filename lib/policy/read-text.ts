import { parseStrictJson } from '@/lib/shared/strict-json';
import { bounds } from '@/lib/shared/bounds';
import type { Issue } from '@/lib/shared/result';

import { readYaml, type ReadText } from './read-yaml';

export const policyFormats = ['yaml', 'json', 'markdown'] as const;
export type PolicyFormat = (typeof policyFormats)[number];

/** A policy's text as a value with positions. Markdown keeps its lines: what is prose is blanked, so positions stay true. */
export function readText(text: string, format: PolicyFormat): { readonly read: ReadText | null; readonly issues: readonly Issue[] } {
  if (format === 'json') {
    const parsed = parseStrictJson(text, { depth: bounds.jsonDepth, nodes: 100_000, length: bounds.policyBytes });
    if (!parsed.ok) {
      const [first] = parsed.error.issues ?? [];
      return { read: null, issues: [{ path: '', message: parsed.error.detail, line: first?.line ?? 1, column: first?.column ?? 1 }] };
    }
  }
  if (format !== 'markdown') return readYaml(text);
  const yaml = policyBlocks(text);
  return yaml === null
    ? { read: null, issues: [{ path: '', message: 'The document has no block fenced as `yaml policy`.', fix: 'Open a block with ```yaml policy.', line: 1, column: 1 }] }
    : readYaml(yaml);
}

/** The fenced `yaml policy` blocks in their places, everything else as empty lines; null when there is none. */
function policyBlocks(text: string): string | null {
  let fence: string | null = null;
  let isPolicy = false;
  let found = false;
  const lines = text.split('\n').map((line) => {
    const mark = /^(`{3,}|~{3,})(.*)$/.exec(line.trimEnd());
    if (fence !== null) {
      if (mark?.[1]?.startsWith(fence) === true && mark[2]?.trim() === '') {
        fence = null;
        return '';
      }
      return isPolicy ? line : '';
    }
    if (mark) {
      fence = mark[1] ?? null;
      isPolicy = /^ya?ml\s+policy\s*$/.test(mark[2]?.trim() ?? '');
      found ||= isPolicy;
    }
    return '';
  });
  return found ? lines.join('\n') : null;
}

/** By the file's name: `.json`, `.md` or `.markdown`, else YAML. */
export function formatOf(fileName: string): PolicyFormat {
  if (/\.json$/i.test(fileName)) return 'json';
  return /\.(?:md|markdown)$/i.test(fileName) ? 'markdown' : 'yaml';
}
