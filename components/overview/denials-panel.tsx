import { ShareBar } from '@/components/ui/scale';
import { Panel } from '@/components/ui/section';
import type { OverviewView } from '@/lib/contracts/console/overview';
import { errorCodes } from '@/lib/shared/error-codes';

const shown = 8;

/** Why actions were denied, the most frequent first. */
export function DenialsPanel({ denials }: { readonly denials: OverviewView['denials_24h'] }) {
  const largest = Math.max(1, ...denials.by_code.map(({ count }) => count));
  return (
    <Panel title="Why actions were denied" note={`24 h, ${denials.total.toLocaleString('en')}`} className="span-4">
      {denials.by_code.length === 0 ? <p className="meta2 mt-4">Nothing was denied in the last 24 hours.</p> : (
        <ul className="bars">
          {denials.by_code.slice(0, shown).map(({ code, count }) => <li key={code}><span>{titleOf(code)}</span><b className="right num">{count.toLocaleString('en')}</b><ShareBar share={count / largest} hue="deny" /></li>)}
        </ul>
      )}
    </Panel>
  );
}

const titles: Readonly<Record<string, { readonly title: string }>> = errorCodes;
const titleOf = (code: string): string => titles[code]?.title ?? code;
