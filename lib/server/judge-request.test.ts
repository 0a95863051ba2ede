import { describe, expect, it } from 'vitest';

import { judgeRequest, type RequestFacts } from './judge-request';

const own = 'http://localhost:3000';
const get = (host: string | null, path = '/approvals?x=1'): RequestFacts => ({ method: 'GET', host, path, fetchSite: null, origin: null });

describe('a request is judged by its name', () => {
  it.each([
    ['its own name', get('localhost:3000'), { kind: 'pass' }],
    ['its own name in capitals', get('LOCALHOST:3000'), { kind: 'pass' }],
    ['the loopback address', get('127.0.0.1:3000'), { kind: 'redirect' }],
    ['the loopback address of IPv6', get('[::1]:3000'), { kind: 'redirect' }],
    ['the supervisor asking for health by address', get('127.0.0.1:3000', '/api/health'), { kind: 'pass' }],
    ['another port of this machine', get('127.0.0.1:3001'), { kind: 'refuse', status: 421 }],
    ['a name that was made to point here', get('rebound.example:3000'), { kind: 'refuse', status: 421 }],
    ['a name that only begins like ours', get('localhost.example:3000'), { kind: 'refuse', status: 421 }],
    ['no name', get(null), { kind: 'refuse', status: 421 }],
  ])('%s', (_what, facts, verdict) => {
    expect(judgeRequest(facts, own)).toMatchObject(verdict);
  });

  it('answers only to its public name when it has one', () => {
    expect(judgeRequest(get('countersign.example.com'), 'https://countersign.example.com')).toEqual({ kind: 'pass' });
    expect(judgeRequest(get('127.0.0.1:3000'), 'https://countersign.example.com')).toMatchObject({ kind: 'refuse', status: 421 });
  });
});

describe('a change is taken only from the console’s own pages', () => {
  const post = (fetchSite: string | null, host = 'localhost:3000'): RequestFacts => ({ method: 'POST', host, path: '/', fetchSite, origin: null });
  const from = (origin: string): RequestFacts => ({ ...post(null), origin });

  it.each([
    ['its own page', post('same-origin'), { kind: 'pass' }],
    ['a program that sets no such header', post(null), { kind: 'pass' }],
    ['another site', post('cross-site'), { kind: 'refuse', status: 403 }],
    ['another port or subdomain', post('same-site'), { kind: 'refuse', status: 403 }],
    ['the server itself, by address', post('same-origin', '127.0.0.1:3000'), { kind: 'pass' }],
    ['another site, by address', post('cross-site', '127.0.0.1:3000'), { kind: 'refuse', status: 403 }],
    ['a name that was made to point here', post('same-origin', 'rebound.example:3000'), { kind: 'refuse', status: 421 }],
    ['its own origin', from('http://localhost:3000'), { kind: 'pass' }],
    ['its own origin, by address from another worker', { ...from('http://localhost:3000'), host: '127.0.0.1:3000' }, { kind: 'pass' }],
    ['another origin, in a browser that says no more', from('http://evil.example'), { kind: 'refuse', status: 403 }],
    ['another port', from('http://localhost:3001'), { kind: 'refuse', status: 403 }],
    ['our name under another scheme', from('https://localhost:3000'), { kind: 'refuse', status: 403 }],
    ['no origin that anybody may know', from('null'), { kind: 'refuse', status: 403 }],
    ['an origin that cannot be parsed', from('http://['), { kind: 'refuse', status: 403 }],
    ['an empty origin', from(''), { kind: 'refuse', status: 403 }],
    ['several origins', from('http://localhost:3000, http://evil.example'), { kind: 'refuse', status: 403 }],
  ])('%s', (_what, facts, verdict) => {
    expect(judgeRequest(facts, own)).toMatchObject(verdict);
  });
});
