import type { Argument } from './argument';
import { isStreamOperand } from './runs-other-programs';

/** What a shell is told to run: the text after `-c`, or undefined for a script file, which is named among the arguments. */
export type ShellCall = { readonly text?: string; readonly opaque: boolean };

const longFlags = new Set(['--login', '--norc', '--noprofile', '--posix', '--restricted', '--verbose', '--no-config', '--private']);

/**
 * Reads a shell's own options (POSIX `sh`, and what Bash adds). `-c` may stand anywhere in a cluster, and the text is the first operand, not
 * the next word: `bash -c -e 'rm x'` and `bash +x -ec 'rm x'` run `rm x`. No script at all means that it runs its input.
 */
export function readShellCall(words: readonly Argument[]): ShellCall {
  let fromText = false;
  let opaque = false;
  let i = 0;
  for (; i < words.length; i++) {
    const text = words[i]?.text ?? '';
    if (text === '--version' || text === '--help') return { opaque: false };
    if (text === '--' || text === '-') {
      i++;
      break;
    }
    if (text.startsWith('--')) opaque ||= !longFlags.has(text);
    else if (/^[-+][A-Za-z]+$/.test(text)) {
      if (text.startsWith('-') && text.includes('c')) fromText = true;
      // -s reads the script from the input; -o and -O take the next word.
      if (/s/.test(text)) opaque = true;
      const taking = text.match(/[oO]/g)?.length ?? 0;
      for (let taken = 0; taken < taking; taken++) opaque ||= !isKnownMode(words[++i]?.text);
    } else break;
  }
  const script = words[i];
  if (fromText) return script ? { text: script.text, opaque: opaque || !script.literal } : { opaque: true };
  return { opaque: opaque || script === undefined || isStreamOperand(script.text) };
}

/** What only makes a script stop sooner or say more. */
const isKnownMode = (mode: string | undefined): boolean => mode !== undefined && /^(?:errexit|nounset|pipefail|xtrace|verbose|noglob|noclobber|noexec|posix|allexport|errtrace)$/.test(mode);
