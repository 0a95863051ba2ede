import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';

import { GET } from './route';

const locationFor = (path?: string) =>
  GET(new NextRequest(`http://127.0.0.1:3000/api/own-name${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`)).headers.get('location');

describe('the console sends callers to its own name', () => {
  it('with the path and query they asked for', () => {
    expect(locationFor('/approvals?scope=own')).toBe('http://localhost:3000/approvals?scope=own');
  });

  it.each([undefined, '', '@evil.example/', '.evil.example', ':80@evil.example'])('and to no other host, whatever path is named: %s', (path) => {
    expect(new URL(locationFor(path) ?? '').host).toBe('localhost:3000');
  });
});
