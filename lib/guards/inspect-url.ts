import { skeleton } from '@/lib/mediate/look-alike';
import { parseUrl } from '@/lib/mediate/parse-url';

import { decodedForms } from './decoded-forms';
import type { Inspection } from './inspection';
import { isInnerHost, isMetadataHost, namesInnerAddress } from './inner-host';

/** A list of what is allowed: what others mean (`file://host/etc/passwd`, `gopher:`, `unix:`) depends on who fetches them. */
const onTheNet = /^(?:https?|wss?|ftps?|sftp|ssh|git(?:\+(?:https?|ssh))?)$/;

/** URLs that reach inside, hide their host, or climb in an encoding. */
export function inspectUrl(text: string): Inspection {
  const trimmed = text.trim();
  const scheme = /^[a-z][a-z0-9+-]*(?=:)/i.exec(trimmed)?.[0].toLowerCase();
  if (scheme !== undefined && !onTheNet.test(scheme)) return { guard: 'ssrf', verdict: 'block', detail: `A ${scheme.slice(0, 40)}: URL is no address on the net.` };
  const url = parseUrl(trimmed);
  if (!url) return undefined;
  if (isInnerHost(url.host)) return { guard: 'ssrf', verdict: 'block', detail: `${url.host} is this machine or an inner network.` };
  if (namesInnerAddress(url.host)) return { guard: 'ssrf', verdict: 'block', detail: `${url.host} is a name that stands for an inner address.` };
  const { username, password, pathname } = new URL(url.href);
  if (username.includes('.') || (username !== '' && password !== '')) {
    return { guard: 'look-alike', verdict: 'block', detail: `What stands before @ is not the host; the host is ${url.host}.` };
  }
  if (decodedForms(pathname).some((form) => /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(form))) {
    return { guard: 'path-traversal', verdict: 'block', detail: 'The path of the URL hides `..` in an encoding.' };
  }
  // The host of the text as written, before Punycode: that is what a person saw.
  const written = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(trimmed)?.[1] ?? '';
  return mixedScripts(written) ? { guard: 'look-alike', verdict: 'hold', detail: `${url.host} mixes scripts and reads as ${skeleton(written)}.` } : undefined;
}

const mixedScripts = (host: string): boolean => /[a-z]/i.test(host) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(host);

/** The same for an address in a command, which runs on a machine whose own services it may well ask; never for its credentials. */
export function inspectCommandUrl(host: string): Inspection {
  if (isMetadataHost(host)) return { guard: 'ssrf', verdict: 'block', detail: `${host} hands out the machine's own credentials.` };
  return namesInnerAddress(host) ? { guard: 'ssrf', verdict: 'hold', detail: `${host} is a name that stands for an inner address.` } : undefined;
}
