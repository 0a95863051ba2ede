import { identityNames, type Field } from '@/lib/engine/predicate';
import { signalNames } from '@/lib/engine/signal-names';

import { argumentsOf, isNode, literalOf } from './cel-nodes';

/** `a.b["c"]` → `['a', 'b', 'c']`; null for anything else. */
export function wordsOf(tree: unknown): readonly string[] | null {
  if (!isNode(tree)) return null;
  if (tree.op === 'id') return typeof tree.args === 'string' ? [tree.args] : null;
  if (tree.op !== '.' && tree.op !== '[]') return null;
  const [on, part] = argumentsOf(tree);
  const words = wordsOf(on);
  const word = tree.op === '.' ? part : literalOf(part);
  return words && typeof word === 'string' ? [...words, word] : null;
}

/** `parameters.x`, `action.parameters.x`, `identity.role`, `tool`, `context.owner`, `context.attributes.x` and the like; null for a name that means nothing. */
export function fieldOf(words: readonly string[]): Field | null {
  const [first = '', second = '', ...rest] = words[0] === 'action' ? words.slice(1) : words;
  if (first === 'parameters' && second !== '') return { of: 'parameter', path: [second, ...rest] };
  if (first === 'identity' && rest.length === 0) {
    const name = identityNames.find((known) => known === second);
    return name ? { of: 'identity', name } : null;
  }
  if (second === '' && (first === 'tool' || first === 'operation' || first === 'effect' || first === 'impact' || first === 'target')) return { of: 'operation', name: first };
  return first === 'context' && words[0] !== 'action' ? contextField(second, rest) : null;
}

function contextField(name: string, rest: readonly string[]): Field | null {
  const [part, third] = rest;
  if (part === undefined) {
    switch (name) {
      case 'labels':
      case 'data_classification':
        return { of: 'labels' };
      case 'owner':
      case 'target_ownership':
        return { of: 'owner' };
      case 'recipients':
      case 'recipient':
        return { of: 'recipient' };
      case 'user_intent':
        return { of: 'intent' };
      case 'prior_actions':
        return { of: 'prior' };
      case 'elapsed':
        return { of: 'elapsed' };
      default:
        return null;
    }
  }
  if ((name === 'recipients' || name === 'recipient') && part === 'attributes' && third !== undefined && rest.length === 2) return { of: 'attribute', name: third, about: 'recipients' };
  if (name === 'provenance') return { of: 'provenance', path: rest.join('.') };
  if (name === 'attributes') return { of: 'attribute', name: rest.join('.'), about: 'target' };
  return name === 'risk_signals' && rest.length === 1 && signalNames.some((known) => known === part) ? { of: 'risk', signal: part } : null;
}
