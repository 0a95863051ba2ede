import { afterEach, beforeEach, describe } from 'vitest';

import { ledgerConformance } from '@/lib/testing/conformance/ledger-conformance';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

let test: TestStores;

beforeEach(async () => {
  test = await openTestStores();
});

afterEach(() => test.close());

describe('the log on PostgreSQL', () => {
  ledgerConformance(() => ({ workspace: test.workspace, ...test.stores }));
});
