/**
 * True for hosts that are this machine or an inner network: loopback, unspecified, private, shared, link-local (cloud
 * metadata), multicast and reserved ranges (RFC 6890), IPv4 inside IPv6, and names that always mean them. `host` is as
 * WHATWG URL gives it: octal, hex and decimal forms are dotted already.
 */
export function isInnerHost(host: string): boolean {
  const name = host.replace(/\.+$/, '');
  if (name.startsWith('[')) return isInnerV6(name.slice(1, -1));
  if (/^[0-9]+(?:\.[0-9]+){3}$/.test(name)) return isInnerV4(name.split('.').map(Number));
  return name === 'localhost' || /\.(?:localhost|local|internal|localdomain)$/.test(name) || name === 'metadata' || name === 'kubernetes.default.svc';
}

/** Where clouds hand out the machine's own credentials. */
export function isMetadataHost(host: string): boolean {
  const name = host.replace(/\.+$/, '');
  if (/^(?:169\.254\.169\.(?:254|253|123)|169\.254\.170\.(?:2|23)|100\.100\.100\.200|168\.63\.129\.16|192\.0\.0\.192)$/.test(name)) return true;
  if (/^(?:metadata|metadata\.google\.internal|metadata\.azure\.internal|instance-data|instance-data\.ec2\.internal)$/.test(name)) return true;
  const groups = name.startsWith('[') ? expand(name.slice(1, -1)) : undefined;
  if (!groups) return false;
  const [first, second] = groups;
  const inside = v4Within(groups)?.join('.');
  return (first === 0xfd00 && second === 0xec2) || (first === 0xfd20 && second === 0xce) || (inside !== undefined && isMetadataHost(inside));
}

/** Services that answer with the address in the name: `10.0.0.5.nip.io`, `10-0-0-5.sslip.io`. */
export function namesInnerAddress(host: string): boolean {
  const match = /(?:^|\.)([0-9]{1,3})[.-]([0-9]{1,3})[.-]([0-9]{1,3})[.-]([0-9]{1,3})\.[a-z]/.exec(host);
  return match !== null && isInnerV4(match.slice(1, 5).map(Number));
}

function isInnerV4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  return (
    a === 0 || a === 10 || a === 127 || (a === 100 && b >= 64 && b < 128) || (a === 169 && b === 254) || (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) || (a === 192 && b === 0 && c === 0) || (a === 198 && (b === 18 || b === 19)) || a >= 224
  );
}

function isInnerV6(address: string): boolean {
  const groups = expand(address);
  if (!groups) return true;
  const [first = 0, second = 0] = groups;
  // ::, ::1 and IPv4-compatible.
  if (groups.slice(0, 6).every((group) => group === 0)) return true;
  const inside = v4Within(groups);
  if (inside) return isInnerV4(inside);
  // Teredo and site-local addresses are of no public service.
  if ((first === 0x2001 && second === 0) || (first & 0xffc0) === 0xfec0) return true;
  return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80 || (first & 0xff00) === 0xff00;
}

/** The IPv4 address that a gateway would go on to: ::ffff:a.b.c.d; 64:ff9b::a.b.c.d (RFC 6052, 8215); 2002:aabb:ccdd:: (6to4, RFC 3056). */
function v4Within(groups: readonly number[]): readonly number[] | undefined {
  const bytes = (from: number): readonly number[] => groups.slice(from, from + 2).flatMap((group) => [group >> 8, group & 255]);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return bytes(6);
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return bytes(6);
  return groups[0] === 0x2002 ? bytes(1) : undefined;
}

/** The eight groups of an address that the URL parser has already validated and written canonically. */
function expand(address: string): readonly number[] | undefined {
  const [head = '', tail] = address.split('::');
  const read = (part: string): readonly number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const before = read(head);
  const after = tail === undefined ? [] : read(tail);
  const groups = tail === undefined ? before : [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0), ...after];
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) ? groups : undefined;
}
