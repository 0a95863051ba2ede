import { exportQuery } from '@/lib/contracts/console/receipts';
import { exportReceipts, type ExportedFile } from '@/lib/services/console/export-receipts';
import { utf8 } from '@/lib/shared/encoding';
import { ok, type Result } from '@/lib/shared/result';
import { htmlReport } from '@/lib/verify/html-report';

import { defineRead } from '../define-read';
import { fewAtOnce } from '../few-at-once';
import { readVerifierFile } from '../verifier-file';

const exporting = fewAtOnce(2, 'Two exports are being made already.');

export const exportRead = defineRead({
  permission: 'receipts.export',
  input: exportQuery,
  handler: ({ parts, viewer }, { from, to, session, case: one, format, withhold, withhold_sensitive }) => exporting(async (): Promise<Result<ExportedFile>> => {
    // Before anything is recorded as exported: without the verifier there is no report.
    const verifier = format === 'html' ? await readVerifierFile() : null;
    const file = await exportReceipts(parts, { kind: 'person', id: viewer.person }, {
      withhold, format, withholdSensitive: withhold_sensitive,
      ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), ...(session === undefined ? {} : { session }), ...(one === undefined ? {} : { case: one }),
    });
    if (!file.ok || verifier === null) return file;
    const report = htmlReport({ verifier, bundle: file.value.bytes, sha256: parts.cryptography.sha256 });
    return report.ok ? ok({ bytes: utf8(report.value), name: file.value.name.replace(/\.json$/, '.html') }) : report;
  }),
});
