import type { TrustRootChange } from '@/lib/authority/change-trust-root';

/** What a change of the trust root does, in a few words. The difference of the documents says it exactly. */
export function changeWords({ owners, thresholds, key_kinds, cool_off_seconds, recovery_key, service }: TrustRootChange): string {
  const words = [
    owners === undefined ? undefined : 'other owners',
    thresholds === undefined ? undefined : `policy ${thresholds.policy}, loosening ${thresholds.loosening}, root ${thresholds.root} of the owners`,
    key_kinds === undefined ? undefined : 'other kinds of key',
    cool_off_seconds === undefined ? undefined : `a cool-off of ${secondsWords(cool_off_seconds)}`,
    recovery_key === undefined ? undefined : 'another recovery key',
    service === undefined ? undefined : service.does === 'rotate' ? 'a service key is followed by another' : 'a service key is withdrawn',
  ];
  return words.filter((word) => word !== undefined).join('; ');
}

/** Seconds as the largest unit that divides them. */
export function secondsWords(seconds: number): string {
  if (seconds === 0) return 'none';
  const [unit, name] = units.find(([size]) => seconds % size === 0) ?? [1, 'second'];
  const count = seconds / unit;
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`;
}

const units = [[86_400, 'day'], [3600, 'hour'], [60, 'minute']] as const;
