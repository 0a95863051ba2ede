import { describe, expect, it } from 'vitest';
import { parameterText } from '@/components/ui/parameter-text';

describe('parameters as text', () => {
  it('have one line each, in an order that does not depend on who wrote them', () => {
    expect(parameterText({ table: 'crm.contacts', limit: 1500 })).toBe('limit: 1500\ntable: "crm.contacts"');
    expect(parameterText({ limit: 1500, table: 'crm.contacts' })).toBe('limit: 1500\ntable: "crm.contacts"');
  });

  it('indent what is nested', () => {
    expect(parameterText({ where: { owner: 'growth' }, to: ['a@x.test', 'b@x.test'], batch: [{ id: 1 }] })).toBe(
      'batch:\n  -\n    id: 1\nto:\n  - "a@x.test"\n  - "b@x.test"\nwhere:\n  owner: "growth"',
    );
  });

  it('keep the lines of a query', () => {
    expect(parameterText({ query: 'DELETE FROM t\nLIMIT 5' })).toBe('query: |\n  DELETE FROM t\n  LIMIT 5');
  });

  it('show blanks, and tell a number from its text', () => {
    expect(parameterText({ a: ' x ', b: '5', c: 5, d: null, e: [], f: {} })).toBe('a: " x "\nb: "5"\nc: 5\nd: null\ne: []\nf: {}');
  });

  it('do not let a key pass for a line of its own', () => {
    expect(parameterText({ 'x: 1\ny': 2 })).toBe('"x: 1\\ny": 2');
  });
});
