import { UntrustedText } from '@/components/ui/untrusted-text';
import { patchLines, type PatchLine } from '@/components/ui/patch-lines';

interface PatchProps {
  readonly before: string;
  readonly after: string;
  /** Names the text: "storage.yaml". */
  readonly file: string;
}

const look = { kept: 'l', added: 'l add', removed: 'l rem' } as const;
const spoken = { kept: '', added: 'added: ', removed: 'removed: ' } as const;

/** Line changes of a policy text. Additions are plum, as everywhere; whole lines have the paler ground. */
export function Patch({ before, after, file }: PatchProps) {
  const hunks = patchLines(before, after);
  if (hunks.length === 0) return <p className="meta2">{file} is unchanged.</p>;
  return (
    <div className="patch">
      {hunks.map((hunk) => (
        <pre className="code" key={hunk.from}>
          <span className="l at">{file}, from line {hunk.from}</span>
          {hunk.lines.map((line, index) => <Line key={index} line={line} />)}
        </pre>
      ))}
    </div>
  );
}

function Line({ line }: { readonly line: PatchLine }) {
  return (
    <span className={look[line.kind]} data-at={line.at ?? undefined}>
      {spoken[line.kind] === '' ? null : <span className="vh">{spoken[line.kind]}</span>}
      <UntrustedText text={line.text} />
    </span>
  );
}
