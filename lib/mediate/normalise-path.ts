const longestPath = 4_096;

/**
 * The path that the operating system would open: `.` and `..` resolved, doubled and trailing slashes gone, NFC. With
 * `base`, a relative path is taken from there. Undefined means opaque: a path that climbs above where it starts, holds
 * an encoded separator or dot, a control or invisible character, a backslash, or characters that become separators
 * when somebody normalises them; one that Windows or a network share reads otherwise (streams, drives, names that end in a dot or a
 * blank); one that leads through the kernel's own links, which point anywhere.
 */
export function normalisePath(text: string, base?: string): string | undefined {
  if (text === '' || text.length > longestPath || hides(text)) return undefined;
  const windows = /^[A-Za-z]:\\/.test(text);
  const composed = (windows ? text.replaceAll('\\', '/') : text).normalize('NFC');
  if (composed.includes('\\')) return undefined;
  const absolute = composed.startsWith('/');
  const whole = absolute || windows || base === undefined || composed.startsWith('~') ? composed : `${base}/${composed}`;
  const segments: string[] = [];
  for (const segment of whole.split('/')) {
    if (segment === '' || segment === '.') continue;
    // `...` is how Go writes every package below.
    if (segment !== '..' && segment !== '...' && /[. ]$/.test(segment)) return undefined;
    if (segment !== '..') segments.push(segment);
    else if (segments.length === 0 || segments[0]?.startsWith('~') === true) return undefined;
    else segments.pop();
  }
  if (whole.startsWith('/')) return kernelLinks.test(`/${segments.join('/')}/`) ? undefined : `/${segments.join('/')}`;
  return segments.length === 0 ? '.' : segments.join('/');
}

/** `/proc/self/root/etc` is `/etc`; `/dev/fd/3` is whatever the process opened. */
const kernelLinks = /^\/proc\/(?:self|thread-self|[0-9]+)\/(?:task\/[0-9]+\/)?(?:root|cwd|exe|fd|map_files)\/|^\/dev\/(?:fd|stdin|stdout|stderr)\//;

/**
 * False when a reader may make another path of it: a home directory or a variable that it fills in, a pattern that it expands. What is
 * known of the path stays worth comparing.
 */
export const isCertainPath = (path: string): boolean => !/^~|\$[A-Za-z_{(]|%[A-Za-z_]+%|[*?]/.test(path);

/** Encodings of `.`, `/`, `\`, NUL or `%` itself; a scheme; characters that are not seen, or turn into `/`, `.` or `\`. */
function hides(text: string): boolean {
  return (
    /%(?:2e|2f|5c|00|25|c0|u)/i.test(text) ||
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) ||
    /^[A-Za-z][A-Za-z0-9+.-]+:\/\/|^file:|^\/\/[^/]|^[A-Za-z]:(?![\\/])|::?\$/i.test(text) ||
    text.trim() !== text ||
    /[\u2024\u2025\u2026\u2044\u2215\u29f5\u29f8\u29f9\ufe52\ufe68\uff0e\uff0f\uff3c]/.test(text)
  );
}
