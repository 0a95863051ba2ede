import { Icon } from '@/components/ui/icon';
import { searchText } from '@/lib/client/search-text';
import type { ReceiptRow } from '@/lib/contracts/console/receipts';

/** The receipt with all that it hangs together with, as a file: the case of its action, its session, or its position alone. */
export function CaseExport({ row }: { readonly row: ReceiptRow }) {
  const scope = row.action !== null ? { case: row.action } : row.session !== null ? { session: row.session } : { from: row.index, to: row.index + 1 };
  const what = row.action !== null ? 'case' : row.session !== null ? 'session' : 'receipt';
  const href = (format: 'bundle' | 'html') => `/api/receipts/export?${searchText({ ...scope, format })}`;
  return (
    <>
      <a className="btn btn-s" href={href('html')} download title="One page that people read, and that verifies itself without a network">Report of the {what}</a>
      <a className="btn btn-s" href={href('bundle')} download title="Statement, proofs, keys, policy and content, for an offline verifier"><Icon name="export" small />Bundle</a>
    </>
  );
}
