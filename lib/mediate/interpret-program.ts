import type { ProgramFact } from './action';
import { findWrapper, type Wrapper } from './command-wrappers';
import { normalisePath } from './normalise-path';
import { runsOtherPrograms } from './runs-other-programs';
import { withoutGlobalOptions } from './global-options';
import { writtenByOptions } from './written-by-options';

/** A word of a command. Not literal: what it becomes depends on the machine. */
export type Argument = { readonly text: string; readonly literal: boolean };

/** `scripts` are texts that a shell would run. */
export type Finding = {
  readonly programs: readonly ProgramFact[];
  readonly scripts: readonly string[];
  readonly paths: readonly string[];
  /** Files that an option makes a program write that else only shows something. */
  readonly written: readonly string[];
  readonly opaque: boolean;
};

const deepestWrapping = 12;
const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'fish', 'busybox', 'toybox']);
/** Give names another meaning for what follows, or run text that is not here. */
const rebinding = new Set(['alias', 'unalias', 'enable', 'hash', 'source', '.', 'shopt', 'set', 'bind', 'complete', 'mapfile', 'readarray']);
const declaring = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);

/** Every program that these words start. Wrappers that only change how a program runs (`env`, `timeout`) are looked through. */
export function interpretProgram(words: readonly Argument[]): Finding {
  const programs: ProgramFact[] = [];
  const scripts: string[] = [];
  const paths: string[] = [];
  const written: string[] = [];
  let opaque = words.some((word) => !word.literal);
  const pending: (readonly Argument[])[] = [words];
  for (let level = 0; pending.length > 0; level++) {
    const next = pending.pop() ?? [];
    const first = next[0];
    if (!first) continue;
    const name = first.literal ? programName(first.text) : undefined;
    if (name === undefined || level > deepestWrapping) {
      opaque = true;
      continue;
    }
    const rest = next.slice(1);
    const texts = rest.map((word) => word.text);
    const wrapper = findWrapper(name);
    if (wrapper) {
      const inner = unwrap(wrapper, rest);
      if (inner.opaque) opaque = true;
      if (!wrapper.transparent || inner.words.length === 0) programs.push({ name, arguments: texts });
      if (inner.words.length > 0) {
        if (wrapper.runsText === true) scripts.push(inner.words.map((word) => word.text).join(' '));
        else pending.push(inner.words);
      }
      continue;
    }
    if (shells.has(name)) {
      const script = shellScript(rest);
      programs.push({ name, arguments: texts });
      if (script.text !== undefined) scripts.push(script.text);
      if (script.opaque) opaque = true;
      continue;
    }
    if (name === 'eval') {
      scripts.push(texts.join(' '));
      continue;
    }
    if (name === 'trap' && texts.length > 1) scripts.push(texts[0] ?? '');
    if (name === 'find') {
      for (const inner of findCommands(rest)) pending.push(inner);
    }
    if (rebinding.has(name) || runsOtherPrograms(name, texts)) opaque = true;
    if (declaring.has(name) && texts.some((one) => /^(?:PATH|LD_|BASH_|ENV=|IFS=|GIT_|-f)/.test(one))) opaque = true;
    const plain = withoutGlobalOptions(name, texts);
    if (plain.opaque) opaque = true;
    paths.push(...plain.paths);
    written.push(...writtenByOptions(name, texts));
    programs.push({ name, arguments: plain.arguments });
  }
  return { programs, scripts, paths, written, opaque };
}

const systemFolders = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/;

/** Base name only for the system's own folders: `./git` and `/tmp/git` are other programs than `git`. */
function programName(text: string): string | undefined {
  if (text === '' || /[\s=]/.test(text)) return undefined;
  if (!text.includes('/')) return text;
  const path = normalisePath(text);
  if (path === undefined) return undefined;
  return systemFolders.exec(path)?.[1] ?? (text.startsWith('/') ? path : `./${path}`);
}

function unwrap(wrapper: Wrapper, words: readonly Argument[]): { readonly words: readonly Argument[]; readonly opaque: boolean } {
  let operands = wrapper.operands ?? 0;
  let opaque = wrapper.addsArguments === true;
  for (let i = 0; i < words.length; i++) {
    const text = words[i]?.text ?? '';
    if (text === '--') {
      const rest = words.slice(i + 1 + operands);
      return { words: rest, opaque };
    }
    if (text.startsWith('-') && text !== '-') {
      if (wrapper.stops?.test(text) === true) return { words: [], opaque };
      if (wrapper.values.test(text)) i++;
      else if (wrapper.dangerous?.test(text) === true || !(wrapper.flags ?? anyFlag).test(text)) opaque = true;
    } else if (wrapper.assignments === true && /^[A-Za-z_]\w*=/.test(text)) {
      if (/^(?:PATH|LD_|DYLD_|BASH_|ENV=|IFS=|GIT_|NODE_|PYTHON|PERL|RUBY)/.test(text)) opaque = true;
    } else if (operands > 0) operands--;
    else return { words: words.slice(i), opaque };
  }
  return { words: [], opaque };
}

const anyFlag = /^(?:-[A-Za-z0-9]+|--[a-z-]+(?:=.*)?)$/;

/** `-c TEXT` yields the text; no script at all means that the shell runs its input, which is not here. */
function shellScript(words: readonly Argument[]): { readonly text?: string; readonly opaque: boolean } {
  for (let i = 0; i < words.length; i++) {
    const text = words[i]?.text ?? '';
    if (/^-[a-z]*c[a-z]*$/.test(text)) {
      const script = words[i + 1];
      return script ? { text: script.text, opaque: !script.literal } : { opaque: true };
    }
    if (text === '-o' || text === '-O' || text === '--rcfile' || text === '--init-file') return { opaque: true };
    if (!text.startsWith('-')) return { opaque: false };
  }
  return { opaque: !words.some((word) => word.text === '--version' || word.text === '--help') };
}

function findCommands(words: readonly Argument[]): readonly (readonly Argument[])[] {
  const commands: (readonly Argument[])[] = [];
  for (let i = 0; i < words.length; i++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[i]?.text ?? '')) continue;
    const end = words.findIndex((word, at) => at > i && (word.text === ';' || word.text === '+'));
    commands.push(words.slice(i + 1, end < 0 ? words.length : end));
    if (end < 0) break;
    i = end;
  }
  return commands;
}
