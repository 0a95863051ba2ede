import { CopyButton } from '@/components/ui/copy-button';
import { groupDigest } from '@/components/ui/group-digest';

interface DigestProps {
  readonly value: string;
  /** `full` for comparing, `short` for lines of prose, `tiny` for table cells. Never a claim of equality. */
  readonly length?: 'full' | 'short' | 'tiny';
  /** Shown before the groups, `sha256` say. */
  readonly algorithm?: string;
  readonly copy?: boolean;
}

/** A digest in groups of four, first two and last two groups strong, with the whole value on the clipboard. */
export function Digest({ value, length = 'full', algorithm, copy = false }: DigestProps) {
  const groups = groupDigest(value);
  const head = groups.slice(0, 2).join(' ');
  const tail = groups.slice(-2).join(' ');
  const cut = length !== 'full' && groups.length > 8;
  return (
    <span className="digest" title={cut ? value : undefined}>
      {algorithm === undefined ? null : `${algorithm} `}
      {groups.length <= 4
        ? <b>{groups.join(' ')}</b>
        : <><b>{head}</b>{' '}{middle(groups, cut ? length : 'full')}{' '}<b>{tail}</b></>}
      {copy ? <CopyButton value={value} what="digest" /> : null}
    </span>
  );
}

function middle(groups: readonly string[], length: 'full' | 'short' | 'tiny') {
  if (length === 'full') return groups.slice(2, -2).join(' ');
  if (length === 'tiny') return '…';
  return <><span className="mid">{groups.slice(2, 4).join(' ')}</span> … <span className="mid">{groups.slice(-3, -2).join(' ')}</span></>;
}
