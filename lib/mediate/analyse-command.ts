import { forEachChild, parse, type Command, type ParsedScript, type Redirect, type SyntaxNode, type Word } from 'unbash';

import type { ProgramFact } from './action';
import { interpretProgram, type Argument, type Finding } from './interpret-program';
import { normalisePath } from './normalise-path';
import { parseUrl, type UrlFact } from './parse-url';

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
  const walk = new CommandWalk(cwd);
  walk.script(command, 0);
  if (walk.programs.length === 0) walk.opaque = true;
  return walk;
}

class CommandWalk {
  readonly programs: ProgramFact[] = [];
  readonly paths: string[] = [];
  readonly urls: UrlFact[] = [];
  opaque = false;

  constructor(private readonly cwd: string | undefined) {}

  script(text: string, depth: number): void {
    const openings = text.match(/\$[({]|`|<<|\(|\{|\bif\b|\bcase\b|\bfor\b|\bwhile\b/g)?.length ?? 0;
    const invisible = /[\0-\x08\x0b-\x1f\x7f\p{Cf}\u2028\u2029\u0085]/u.test(text);
    if (depth > deepestScript || text.length > longestCommand || openings > mostOpenings || invisible) {
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
        // Shells differ about where one ends when its mark is no plain word, or never comes.
        if (!node.closing || !/^(?:[A-Za-z0-9_]+|'[A-Za-z0-9_]+'|"[A-Za-z0-9_]+")$/.test(node.delimiter?.text ?? '')) this.opaque = true;
        break;
      case 'Assignment':
        if (steering.test(node.name)) this.opaque = true;
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
  private redirect({ target, operator }: Redirect): void {
    if (!target || !isLiteral(target)) this.opaque = true;
    else if (!/^(?:[0-9]+|-)$/.test(target.value) || !operator.endsWith('&')) this.opens(operator.includes('>') ? '>' : '<', target.value);
  }

  private opens(name: '<' | '>', file: string): void {
    const path = normalisePath(file, this.cwd);
    // Bash opens a connection for these names.
    if (path === undefined || /^\/dev\/(?:tcp|udp)(?:\/|$)/.test(path)) this.opaque = true;
    this.path(file);
    if (path !== '/dev/null') this.programs.push({ name, arguments: [path ?? file] });
  }

  private command(command: Command, depth: number): void {
    if (!command.name) return;
    const name: Argument = { text: command.name.value, literal: isLiteral(command.name) };
    const rest = command.suffix.flatMap((part): Argument[] => {
      if (part.type === 'Word') return [{ text: part.value, literal: isLiteral(part) || isProcessSubstitution(part) }];
      if (part.type === 'Assignment') return [{ text: part.text, literal: part.value.type === 'Word' && isLiteral(part.value) && !steering.test(part.name) }];
      return [];
    });
    const readsInput = command.redirects.some((one) => one.type !== 'Redirect');
    this.take(interpretProgram([name, ...rest]), depth);
    // `bash <<< "rm x"`: the text is a script, and the shell is seen without one.
    if (readsInput && this.programs.some((program) => /^(?:ba|da|z|k)?sh$/.test(program.name))) this.opaque = true;
  }

  private take(finding: Finding, depth: number): void {
    if (finding.opaque) this.opaque = true;
    for (const program of finding.programs) {
      this.programs.push(program);
      for (const argument of program.arguments) this.argument(program.name, argument);
    }
    for (const path of finding.paths) this.path(path);
    for (const file of finding.written) this.opens('>', file);
    for (const script of finding.scripts) this.script(script, depth + 1);
  }

  /** File names and URLs among the arguments, also behind `--option=`. */
  private argument(program: string, argument: string): void {
    const value = argument.startsWith('-') ? argument.slice(argument.indexOf('=') + 1 || argument.length) : argument;
    if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(value)) {
      const url = parseUrl(value);
      if (url) this.urls.push(url);
      else this.opaque = true;
    } else if (value.includes('/') || value.startsWith('.') || value.startsWith('~') || (filePrograms.has(program) && value !== '')) {
      this.path(value);
    }
  }

  private path(text: string): void {
    const path = normalisePath(text, this.cwd);
    if (path === undefined) this.opaque = true;
    else if (!this.paths.includes(path)) this.paths.push(path);
  }
}

/** Variables that change which program runs, or what it loads. */
const steering = /^(?:PATH|IFS|ENV|SHELL|CDPATH|BASH_.*|LD_.*|DYLD_.*|PROMPT_COMMAND|PS[0-4]|GIT_.*|NODE_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|npm_.*|PAGER|EDITOR|VISUAL|LESS.*|.*_PROXY|.*_proxy)$/;

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
