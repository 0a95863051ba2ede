import { parseInclusionDocument } from '@/lib/ledger/inclusion-document';
import { parseCheckpoint } from '@/lib/ledger/checkpoint';

const width = 424;
const left = 8;
const right = 15;

/** The hashes that join a receipt to the checkpoint's root, one a step. Drawn only where the path was found to hold. */
export function MerklePath({ proof, holds }: { readonly proof: string | null; readonly holds: boolean }) {
  const document = proof === null || !holds ? undefined : parseInclusionDocument(proof);
  const checkpoint = document?.ok ? parseCheckpoint(document.value.checkpoint) : undefined;
  if (!document?.ok || !checkpoint?.ok) return null;
  const { index, path } = document.value;
  const steps = path.length;
  if (steps === 0) return null;
  const root = checkpoint.value.size.toLocaleString('en');
  const points = Array.from({ length: steps + 1 }, (_, n) => ({ x: left + (n * (width - left - right)) / steps, y: 46 - (n * 29.7) / steps }));
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  return (
    <figure>
      <svg className="merkle" viewBox={`0 0 ${width} 66`} role="img" aria-label={`${steps} sibling ${steps === 1 ? 'hash joins' : 'hashes join'} this receipt to the root of checkpoint ${root}`}>
        {points.slice(1).map(({ x, y }, step) => {
          // A sibling on the left of the path is drawn below it, one on the right above.
          const down = ((index >> step) & 1) === 1;
          const at = { x: x - 9, y: y + (down ? 13 : -13) };
          return <g key={step} className="merkle-sibling"><path d={`M${x} ${y}L${at.x} ${at.y}`} /><circle cx={at.x} cy={at.y} r="2.5" /></g>;
        })}
        <path className="merkle-path" d={`M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`} />
        {points.slice(1, -1).map(({ x, y }) => <circle key={x} className="merkle-node" cx={x} cy={y} r="2.2" />)}
        <rect className="merkle-node" x={first.x - 4} y={first.y - 4} width="8" height="8" />
        <circle className="merkle-root" cx={last.x} cy={last.y} r="5" />
      </svg>
      <figcaption className="meta merkle-ends"><span>This receipt</span><span>Root of {root}</span></figcaption>
    </figure>
  );
}
