import { forEachChild, parse, type Command, type ParsedScript, type Redirect, type SyntaxNode, type Word } from 'unbash';

import type { ProgramFact } from './action';
import type { Argument } from './argument';
import { isHarmlessVariable } from './harmless-variables';
import { interpretProgram, type Finding } from './interpret-program';
import { parseUrl, type UrlFact } from './parse-url';
import { Places } from './places';
import { addressesOf, filesSentBy } from './transfer-hosts';

/** Everything a command line would start, touch by name, or talk to; `opaque` when that is not all of it. */
export type CommandAnalysis = {
  readonly programs: readonly ProgramFact[];
  readonly paths: readonly string[];
  readonly urls: readonly UrlFact[];
  readonly opaque: boolean;
};

/** The parser's time grows faster than the nesting; what is longer or more nested than people write is opaque. */
const longestCommand = 8_192;
const mostOpenings = 120;
const mostPrograms = 200;
const deepestScript = 5;

/**
 * Parses a shell command (Bash; what `sh` would read otherwise is opaque). Chains, pipes, substitutions and wrappers
 * yield every program; a redirection yields `> FILE` or `< FILE`. Expansions that depend on the machine (variables, globs, braces) leave the command
 * opaque: what they become is unknown, not safe. `cwd` is where relative paths start.
 */
export function analyseCommand(command: string, cwd?: string): CommandAnalysis {
  const walk = new CommandWalk();
  walk.script(command, 0);
  return walk.finish(cwd);
}

class CommandWalk {
  private readonly programs: ProgramFact[] = [];
  private readonly urls: UrlFact[] = [];
  /** Paths as they were written: a `cd` anywhere may change where they start. */
  private readonly named: string[] = [];
  private readonly opened: { readonly how: '<' | '>'; readonly file: string }[] = [];
  private readonly folders: string[] = [];
  private opaque = false;

  finish(cwd: string | undefined): CommandAnalysis {
    const places = new Places(cwd, this.folders);
    const paths = new Set(places.visited);
    const programs = [...this.programs];
    for (const text of this.named) for (const path of places.of(text)) paths.add(path);
    for (const { how, file } of this.opened) {
      for (const path of places.of(file)) {
        // Bash opens a connection for these names.
        if (/^\/dev\/(?:tcp|udp)(?:\/|$)/.test(path)) this.opaque = true;
        paths.add(path);
        if (path !== '/dev/null') programs.push({ name: how, arguments: [path] });
      }
    }
    return { programs, paths: [...paths], urls: this.urls, opaque: this.opaque || places.lost || programs.length === 0 };
  }

  script(text: string, depth: number): void {
    const openings = text.match(/\$[({]|`|<<|\(|\{|\bif\b|\bcase\b|\bfor\b|\bwhile\b/g)?.length ?? 0;
    const invisible = /[\0-\x08\x0b-\x1f\x7f\p{Cf}\u2028\u2029\u0085]/u.test(text);
    // A backslash with nothing behind it is dropped by some shells.
    if (depth > deepestScript || text.endsWith('\\') || text.length > longestCommand || openings > mostOpenings || invisible) {
      this.opaque = true;
      return;
    }
    this.node(parse(text), depth);
  }

  private node(node: SyntaxNode, depth: number): void {
    if (this.programs.length > mostPrograms) {
      this.opaque = true;
      return;
    }
    switch (node.type) {
      case 'Script':
        if (hasErrors(node)) this.opaque = true;
        break;
      case 'Command':
        this.command(node, depth);
        break;
      case 'Redirect':
        this.redirect(node);
        break;
      case 'HereDoc':
        // Shells differ about where one ends when its mark is no plain word, or never comes, and about what expands inside.
        if (!node.closing || (node.delimiter?.quoted !== true && /[$`]/.test(node.body.text)) || !/^(?:[A-Za-z0-9_]+|'[A-Za-z0-9_]+'|"[A-Za-z0-9_]+")$/.test(node.delimiter?.text ?? '')) this.opaque = true;
        break;
      case 'Assignment':
        // An index is evaluated, quoted or not: `a['$(rm x)']=1` runs it.
        if (!isHarmlessVariable(node.name) || (node.index !== undefined && !/^[0-9]+$/.test(node.index.text))) this.opaque = true;
        break;
      case 'For':
        if (!isHarmlessVariable(node.name.value)) this.opaque = true;
        break;
      // What `sh` would read as something else, or what gives a name another meaning.
      case 'Function':
      case 'Coproc':
      case 'Select':
      case 'TestCommand':
      case 'ArithmeticCommand':
      case 'ArithmeticFor':
        this.opaque = true;
        break;
      default:
        break;
    }
    forEachChild(node, (child) => {
      this.node(child, depth);
    });
  }

  /**
   * A file that the shell itself opens counts like a program: `> FILE` when it may be written, `< FILE` when it is only
   * read. Without that `cat a > b` would pass for a command that only shows something.
   */
  private redirect({ target, operator, descriptor }: Redirect): void {
    if (!target || !isLiteral(target) || descriptor?.type === 'FileDescriptorVariable') this.opaque = true;
    else if (!/^(?:[0-9]+-?|-)$/.test(target.value) || !operator.endsWith('&')) this.opened.push({ how: operator.includes('>') ? '>' : '<', file: target.value });
  }

  private command(command: Command, depth: number): void {
    if (!command.name) return;
    const name: Argument = { text: command.name.value, literal: isLiteral(command.name) };
    const rest = command.suffix.flatMap((part): Argument[] => {
      if (part.type === 'Word') return [{ text: part.value, literal: isLiteral(part) || isProcessSubstitution(part) }];
      if (part.type === 'Assignment') return [{ text: part.text, literal: part.value.type === 'Word' && isLiteral(part.value) }];
      return [];
    });
    const readsInput = command.redirects.some((one) => one.type !== 'Redirect');
    this.take(interpretProgram([name, ...rest]), depth);
    // `bash <<< "rm x"`: the text is a script, and the shell is seen without one.
    if (readsInput && this.programs.some((program) => /^(?:ba|da|z|k)?sh$/.test(program.name))) this.opaque = true;
  }

  private take(finding: Finding, depth: number): void {
    if (finding.opaque) this.opaque = true;
    for (const { name, arguments: words } of finding.programs) {
      this.programs.push({ name, arguments: words });
      if (name === 'cd' || name === 'pushd') {
        this.folders.push(words.findLast((word) => !/^-[A-Za-z]*$|^\+/.test(word)) ?? '~');
        continue;
      }
      const pattern = patternPrograms.has(name) ? patternAt(words) : -1;
      words.forEach((word, i) => {
        if (i !== pattern) this.argument(name, word);
      });
      for (const address of addressesOf(name, words)) this.url(address);
      this.named.push(...filesSentBy(name, words));
    }
    this.folders.push(...finding.paths);
    for (const file of finding.written) this.opened.push({ how: '>', file });
    for (const script of finding.scripts) this.script(script, depth + 1);
  }

  /** File names and URLs among the arguments, also behind `--option=`. */
  private argument(program: string, argument: string): void {
    const value = argument.startsWith('-') ? argument.slice(argument.indexOf('=') + 1 || argument.length) : argument;
    if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(value)) this.url(value);
    else if (value.includes('/') || value.startsWith('.') || value.startsWith('~') || (filePrograms.has(program) && value !== '')) this.named.push(value);
  }

  private url(text: string): void {
    const url = parseUrl(text);
    if (!url) this.opaque = true;
    else if (!this.urls.some((known) => known.href === url.href)) this.urls.push(url);
  }
}

/** Their first operand is a pattern or a script, which is full of what looks like paths. */
const patternPrograms = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'sed', 'gsed', 'awk', 'gawk', 'mawk', 'jq', 'yq']);

function patternAt(words: readonly string[]): number {
  const named = words.findIndex((word) => /^-[a-zA-Z]*e$|^--(?:regexp|expression)$/.test(word));
  return named >= 0 ? named + 1 : words.findIndex((word) => !word.startsWith('-'));
}

const filePrograms = new Set('cat tac head tail less more rm rmdir cp mv ln mkdir touch chmod chown stat file nl wc sort uniq tee shred dd xxd od strings base64 sha256sum md5sum source vi vim nano truncate'.split(' '));

function hasErrors(script: ParsedScript): boolean {
  return (script.errors?.length ?? 0) > 0;
}

const isProcessSubstitution = (word: Word): boolean => word.parts?.every((part) => part.type === 'ProcessSubstitution') ?? false;

/** True when the word means the same on every machine: plain or quoted text without any expansion. */
function isLiteral(word: Word): boolean {
  if (!word.parts) return !/^~[^/]/.test(word.value);
  return word.parts.every((part) => {
    if (part.type === 'Literal' || part.type === 'SingleQuoted') return true;
    return part.type === 'DoubleQuoted' && part.parts.every((inner) => inner.type === 'Literal');
  });
}
