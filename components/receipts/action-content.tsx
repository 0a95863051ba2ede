import { ActionDiff } from '@/components/ui/action-diff';
import { parameterText } from '@/components/ui/parameter-text';
import { Section } from '@/components/ui/section';
import type { JudgedAction } from '@/lib/client/judge-action';
import { sealsIn } from '@/lib/ledger/content';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';

import { parametersOf, sealedText } from './sealed-text';

/** What was asked for and what policy would let through, as stored. What is sealed stays so; what is erased is said to be. */
export function ActionContent({ judged }: { readonly judged: JudgedAction }) {
  const asked = parametersOf(judged.asked);
  const decided = judged.entries.some(({ body }) => body?.kind === 'action_decided');
  if (asked === undefined) {
    return decided ? <Section title="What was asked for" level={3}><p className="meta2 mt-4">The action’s content is erased. Its digest stays in the receipt, and proves that nothing was put in its place.</p></Section> : null;
  }
  const transformed = parametersOf(judged.transformed);
  const seals = sealsIn(asked).length;
  return (
    <Section title="What was asked for" note={transformed === undefined ? 'Policy changed nothing' : <>Policy made it <code className="prime">a′</code></>} level={3}>
      <ActionDiff before={lines(asked)} after={transformed === undefined ? null : lines(transformed)} />
      {seals === 0 ? null : <p className="meta2">{seals === 1 ? 'One value is' : `${seals} values are`} sealed: the screen shows digests in place of what the catalogue calls sensitive.</p>}
    </Section>
  );
}

function lines(parameters: JsonObject): string {
  const shown = sealedText(parameters);
  return isJsonObject(shown) ? parameterText(shown) : '';
}
