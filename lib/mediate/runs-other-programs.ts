import { optionsOf, readOptions } from './read-options';
import { isPlainSedScript } from './sed-script';

type Test = (words: readonly string[]) => boolean;

/** For programs that can be told to run something that is not a word of its own in the command. */
const ways: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...each('python python2 python3 pypy pypy3', interpreter('uBEsSIOvqbdixP W:X:m:', /^-m(?:timeit|pdb|code|runpy|trace|profile|cProfile|IPython|this)\b/)),
  ...each('node nodejs', interpreter('c --test --watch --check --enable-source-maps --no-warnings --trace-warnings --trace-deprecation --experimental-strip-types --max-old-space-size? --stack-trace-limit? --test-name-pattern? --test-reporter?')),
  ...each('bun tsx ts-node', interpreter('--watch --hot')),
  ...each('perl', interpreter('wWtTuUcv I:')),
  ...each('ruby', interpreter('wWvcT I:')),
  ...each('lua luajit Rscript elixir groovy julia irb R octave ghc tclsh wish jrunscript jjs guile racket sbcl ocaml swift scala kotlin', interpreter('')),
  ...each('php', interpreter('nlv')),
  ['deno', (words) => words.length === 0 || /^(?:eval|repl|-)/.test(words[0] ?? '')],
  ...each('awk gawk mawk nawk', any(/system|getline|[|>@]|^-[fileEDdoW]|^--/)),
  ...each('sed gsed', (words) => !sedIsPlain(words)),
  ['tar', (words) => /^[a-zA-Z]*[IF]/.test(words[0] ?? '') || any(/^(?:--(?:checkpoint-|to-c|use-c|info-s|new-v|rsh-|rmt-)|-[a-zA-Z]*[IF])/)(words)],
  ...each('gtar bsdtar', any(/^(?:--|-?[a-zA-Z]*[IF])/)),
  ['rsync', any(/^(?:-[a-zA-Z]*[eM]|--rsh|--rsync-p|--remote-o|--config)/)],
  ...each('scp sftp', any(/^-[a-zA-Z]*[oSFDJ]/)),
  ['curl', any(/^(?:-[a-zA-Z]*K|--conf|--engine|--variable|--expand)/)],
  ['wget', any(/^(?:--use-a|--conf|--exec|-[a-zA-Z]*e|--post-f|--body-f|--input|-[a-zA-Z]*i)/)],
  ...each('vi vim nvim view vimdiff nano pico emacs micro helix kak', any(/^[-+]/)),
  ...each('ed ex red gdb dc bc', always),
  ...each('less more most pg', any(/^\+|^-[a-zA-Z]*[kKoOtTpD]|^--(?:lesskey|log|LOG|use-)|!/)),
  ['man', any(/^-[a-zA-Z]*[PHTCM]|^--(?:pager|html|config|manpath|gxditview|troff)/)],
  ...each('psql mysql mariadb sqlite3 sqlplus sqlcmd mongo mongosh redis-cli cqlsh clickhouse-client duckdb', (words) => !words.every((word) => /^(?:-V|--version|--help|-l|--list)$/.test(word)) || words.length === 0),
  ...each('make gmake', any(/^(?:-[a-zA-Z]*[fCIE]|--(?:file|makefile|directory|include-dir|eval)|[A-Za-z_][\w.]*\s*[:+?!]*=)/)),
  ...each('gcc g++ cc c++ clang clang++', any(/^(?:-wrapper|-fplugin|-B|-specs|--specs|@|-Xclang)/)),
  ['cmake', any(/^-(?:P|E)/)],
  ['zip', any(/^-(?:[a-zA-Z]*T|-unzip-c)/)],
  ['split', any(/^--fi/)],
  ['tcpdump', any(/^-[a-zA-Z]*z/)],
  ...each('nc ncat netcat', any(/^-[a-zA-Z]*[ec]|^--(?:exec|sh-exec|lua-exec)/)),
  ['nmap', any(/^--(?:script|interactive|resume)/)],
  ...each('rg ripgrep', any(/^--(?:pre|hostname-bin)/)),
  ...each('bat batcat delta ag ack', any(/^--(?:pager|config)|^-[a-zA-Z]*[x]$/)),
  ...each('apt apt-get apt-cache', any(/^(?:-[a-zA-Z]*[oc]|--option|--config)/)),
  ...each('dnf yum rpm dpkg', any(/^(?:--(?:eval|define|pipe|root|rcfile|macros|config|setopt|admindir|instdir|path-)|-[a-zA-Z]*[cDE])/)),
  ['openssl', any(/^-(?:engine|provider|config)/)],
  ...each('ssh-keygen ssh-add', any(/^-[a-zA-Z]*[Dsw]/)),
  ['docker', any(/^(?:-H|--host|--config)/)],
  ['kubectl', any(/^--(?:kubeconfig|as-)|^(?:edit|plugin|debug)$/)],
  ['npm', any(/^--(?:script-shell|node-options|call|shell|userconfig|globalconfig|prefix)|^-c$|^(?:set-script|pkg|config|set|explore|edit|init|create)$/)],
  ['npx', any(/^(?:-c|--call|--shell)/)],
  ['cargo', any(/^--config/)],
  ['go', any(/^-{1,2}(?:exec|toolexec|vettool|overlay|modfile)|^(?:env|generate|tool)$/)],
  ...each('sort gsort', any(/^--comp/)),
  ['crontab', (words) => words.length !== 1 || words[0] !== '-l'],
  ['jobs', any(/^-x/)],
  ['install', any(/^--strip-p/)],
  ['ip', any(/^(?:netns|vrf|-b|-batch)/)],
  ['systemctl', any(/^(?:edit|set-environment|import-environment|-H|-M|--host|--machine)/)],
  ...each('rename prename xterm gnome-terminal konsole service ctags mail mailx mutt sendmail xelatex pdflatex latex gem rake puppet ansible ansible-playbook salt aria2c xdotool x-terminal-emulator', any(/^[-+]/)),
]);

/** True when the arguments carry a program as text, or name one in an option: then the list of programs is not whole. */
export const runsOtherPrograms = (name: string, words: readonly string[]): boolean => ways.get(name)?.(words) ?? false;

/** A script that comes from somewhere else while the command runs. */
export const isStreamOperand = (word: string): boolean => /^(?:-$|[<>]\(|\/dev\/(?:stdin|fd\/)|\/proc\/(?:self|[0-9]+)\/fd\/)/.test(word);

function each(names: string, test: Test): readonly (readonly [string, Test])[] {
  return names.split(' ').map((name) => [name, test] as const);
}

/** Only known options before the script, which is a file; after it they belong to the script. */
function interpreter(notation: string, tricky?: RegExp): Test {
  const spec = optionsOf(notation);
  return (words) => {
    if (words.length > 0 && words.every((word) => /^(?:-v|-V|-version|--version|--help|-h)$/.test(word))) return false;
    const { next, plain, options } = readOptions(words, spec);
    if (!plain) return true;
    const named = options.find((option) => option.name === '-m');
    if (named) return tricky?.test(`-m${named.value ?? ''}`) ?? true;
    if (options.some((option) => option.name === '--test')) return false;
    const script = words[next];
    // No script at all: the program reads one from its input.
    return script === undefined || isStreamOperand(script);
  };
}

function any(pattern: RegExp): Test {
  return (words) => words.some((word) => pattern.test(word));
}

function always(): boolean {
  return true;
}

const sedOptions = optionsOf('nErsuz i? e: --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --sandbox --in-place? --expression: --version --help');

function sedIsPlain(words: readonly string[]): boolean {
  const { next, plain, options } = readOptions(words, sedOptions);
  const scripts = options.filter(({ name }) => name === '-e' || name === '--expression').map(({ value }) => value ?? '');
  // GNU sed takes options behind the operands too.
  const late = words.slice(next).some((word) => word.length > 1 && word.startsWith('-'));
  if (scripts.length === 0) scripts.push(words[next] ?? '');
  return plain && !late && scripts.every(isPlainSedScript);
}
