/** Where to go on after signing in: a path of this console, or `/`. An address elsewhere would let a link carry somebody off. */
export function safePath(next: string | null | undefined): string {
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next) || /[\u0000-\u001f\\]/.test(next)) return '/';
  return next;
}
