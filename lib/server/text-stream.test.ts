import { describe, expect, it } from 'vitest';

import { textStream } from './text-stream';

describe('a body of text', () => {
  it('holds every part in order, as UTF-8', async () => {
    async function* parts() { yield '\ufeffa,'; yield 'č\r\n'; }
    expect([...new Uint8Array(await new Response(textStream(parts())).arrayBuffer())]).toEqual([0xef, 0xbb, 0xbf, 0x61, 0x2c, 0xc4, 0x8d, 0x0d, 0x0a]);
  });

  it('is made no further once the reader has gone away', async () => {
    let made = 0;
    let ended = false;
    async function* parts() {
      try {
        for (;;) yield `${String(made++)}\n`;
      } finally {
        ended = true;
      }
    }
    const reader = textStream(parts()).getReader();
    await reader.read();
    await reader.cancel();
    expect(ended).toBe(true);
    expect(made).toBeLessThan(4);
  });

  it('breaks off where making it fails, and does not look whole', async () => {
    async function* parts() { yield 'a'; throw new Error('the database went away'); }
    await expect(new Response(textStream(parts())).text()).rejects.toThrow('the database went away');
  });
});
