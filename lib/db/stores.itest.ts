import { afterAll, beforeAll, beforeEach, describe } from 'vitest';

import { actionConformance } from '@/lib/testing/conformance/action-conformance';
import { approvalConformance } from '@/lib/testing/conformance/approval-conformance';
import { authorityConformance } from '@/lib/testing/conformance/authority-conformance';
import { contentConformance } from '@/lib/testing/conformance/content-conformance';
import { credentialConformance } from '@/lib/testing/conformance/credential-conformance';
import { deferralConformance } from '@/lib/testing/conformance/deferral-conformance';
import { eventConformance } from '@/lib/testing/conformance/event-conformance';
import { ledgerConformance } from '@/lib/testing/conformance/ledger-conformance';
import { peopleConformance } from '@/lib/testing/conformance/people-conformance';
import { sessionConformance } from '@/lib/testing/conformance/session-conformance';
import { transactorConformance } from '@/lib/testing/conformance/transactor-conformance';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

let database: TestStores;
let opened: Awaited<ReturnType<TestStores['newWorkspace']>>;

beforeAll(async () => {
  database = await openTestStores();
});

beforeEach(async () => {
  opened = await database.newWorkspace();
});

afterAll(() => database.close());

describe('transactor on PostgreSQL', () => transactorConformance(() => opened.stores.transactor));
describe('log on PostgreSQL', () => ledgerConformance(() => ({ workspace: opened.workspace, ...opened.stores })));
describe('content on PostgreSQL', () => contentConformance(() => opened.stores));
describe('sessions on PostgreSQL', () => sessionConformance(() => opened.stores));
describe('actions on PostgreSQL', () => actionConformance(() => opened.stores));
describe('approvals on PostgreSQL', () => approvalConformance(() => opened.stores));
describe('deferrals on PostgreSQL', () => deferralConformance(() => opened.stores));
describe('authority on PostgreSQL', () => authorityConformance(() => ({ workspace: opened.workspace, ...opened.stores })));
describe('people on PostgreSQL', () => peopleConformance(() => opened.stores));

describe('credentials on PostgreSQL', () => {
  credentialConformance(() => ({
    ...opened.stores,
    ageKeys: async (hours) => {
      await database.pool.query(`UPDATE "idempotency_keys" SET "created_at" = "created_at" - make_interval(hours => $1)`, [hours]);
    },
  }));
});

describe('events on PostgreSQL', () => {
  eventConformance(() => ({ ...opened.stores, elsewhere: opened.elsewhere.events }));
});
