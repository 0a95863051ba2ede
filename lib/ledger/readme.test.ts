import { describe, expect, it } from 'vitest';

import { bundlePartNames } from '@/lib/ledger/bundle';
import { statementTypes } from '@/lib/authority/owner-statements';
import { readLedgerReadme, withFieldTables } from '@/lib/testing/ledger-readme';
import { checkTitles, pairingVerdicts } from '@/lib/verify/report';

describe('the page of the format', () => {
  const page = readLedgerReadme();

  it('has the fields of every kind as the schemas have them (else: npx tsx lib/testing/write-ledger-readme.ts)', () => {
    expect(page).toBe(withFieldTables(page));
  });

  it('tells of every check, every verdict of pairing, every part of a bundle and every type that owners sign', () => {
    const words = [...Object.keys(checkTitles), ...pairingVerdicts, ...bundlePartNames, ...Object.values(statementTypes).map((type) => type.replace('application/vnd.countersign', ''))];
    expect(words.filter((word) => !page.includes(`**${word}**`) && !page.includes(`\`${word}\``) && !new RegExp(`→[^;|]*\\b${word}\\b|\\b${word} →`).test(page))).toEqual([]);
  });
});
