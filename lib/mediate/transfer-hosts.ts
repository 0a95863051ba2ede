import { optionsOf, readOptions, type OptionSpec } from './read-options';

/** Options that take a word, so that the word is not taken for an address. */
const programs: ReadonlyMap<string, OptionSpec> = new Map([
  ['curl', optionsOf('0123456789aBfgGiIjJklLMnNOpqRsSvVZ# AbcCdDeEFhHKmoPQrtTuUwxXyYz: --url: --request: --header: --data: --data-raw: --data-binary: --data-urlencode: --json: --form: --form-string: --user: --user-agent: --referer: --cookie: --cookie-jar: --output: --output-dir: --upload-file: --max-time: --connect-timeout: --retry: --retry-delay: --write-out: --range: --proxy: --cacert: --cert: --key: --resolve: --connect-to: --interface: --dump-header: --limit-rate: --unix-socket: --oauth2-bearer: --aws-sigv4: --http1.1 --http2 --compressed --fail --fail-with-body --silent --show-error --location --head --get --insecure --verbose --include --remote-name --globoff --no-buffer --progress-bar --ssl-reqd --create-dirs')],
  ['wget', optionsOf('bcdFhHkKLmnNpqrSvVxE46 aAOoPQRTUtwDlIBX: --output-document: --output-file: --directory-prefix: --header: --method: --body-data: --post-data: --user: --password: --user-agent: --tries: --timeout: --wait: --level: --quiet --no-verbose --continue --recursive --no-check-certificate --spider --server-response --mirror --no-parent --show-progress')],
]);

/** What `curl` and `wget` would fetch: they take `host/path` for a URL. What stands behind an option that is not known is taken for one too. */
export function addressesOf(program: string, words: readonly string[]): readonly string[] {
  const spec = programs.get(program);
  if (!spec) return [];
  const found: string[] = [];
  for (let next = 0; next < words.length; ) {
    const read = readOptions(words, spec, next);
    for (const { name, value } of read.options) if ((name === '--url' || name === '-x' || name === '--proxy') && value !== undefined) found.push(value);
    const operand = words[read.next];
    if (operand !== undefined) found.push(operand);
    next = read.next + 1;
  }
  return found.map((text) => (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) ? text : `http://${text}`));
}

/** Files that it sends: `-T FILE`, `-d @FILE`, `-F part=@FILE`. */
export function filesSentBy(program: string, words: readonly string[]): readonly string[] {
  if (program !== 'curl') return [];
  return words.flatMap((word, i) => {
    if (/^(?:-T|--upload-file)$/.test(words[i - 1] ?? '')) return [word];
    const file = /^(?:-[A-Za-z]|--[a-z-]+=)?(?:[^=@<]*=)?[@<]([^;]+)/.exec(word)?.[1] ?? /^-T(.+)/.exec(word)?.[1];
    return file === undefined || file === '-' ? [] : [file];
  });
}
