import { describe, expect, it } from 'vitest';

import { isInnerHost, isMetadataHost } from './inner-host';

const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;

describe('an inner address', () => {
  it.each([
    '127.1', '2130706433', '0', 'localhost.', '[::]', '[::1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::10.0.0.1]',
    '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2001:0:1::1]', '[fec0::1]', '[fd00::1]', '[fe80::1]', '[ff02::1]',
  ])('is seen in %s', (host) => {
    expect(isInnerHost(hostOf(host))).toBe(true);
  });

  it.each(['8.8.8.8', '[2606:4700::1]', '[2002:808:808::1]', '[64:ff9b::8.8.8.8]', '[2001:4860::1]', 'example.com'])('is not seen in %s', (host) => {
    expect(isInnerHost(hostOf(host))).toBe(false);
  });

  it.each(['[::ffff:169.254.169.254]', '[64:ff9b::169.254.169.254]', '[2002:a9fe:a9fe::]'])('of a cloud’s metadata is seen in %s', (host) => {
    expect(isMetadataHost(hostOf(host))).toBe(true);
  });
});
