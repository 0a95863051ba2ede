import { ActionDiff } from '@/components/ui/action-diff';
import { parameterText } from '@/components/ui/parameter-text';
import type { JsonObject } from '@/lib/shared/json';

interface EditedDiffProps {
  /** a, and a′ where policy had changed something: as they were held. */
  readonly parameters: JsonObject;
  readonly transformed: JsonObject | null;
  readonly edited: JsonObject;
  readonly by: string;
}

/** a → a′ → a″ word by word: what the agent wrote, what policy made of it, and what a person made of that. */
export function EditedDiff({ parameters, transformed, edited, by }: EditedDiffProps) {
  const after = { after: parameterText(edited), afterTitle: `Edited by ${by}` };
  if (transformed === null) return <ActionDiff names={['a', 'a″']} before={parameterText(parameters)} {...after} />;
  return (
    <>
      <ActionDiff before={parameterText(parameters)} after={parameterText(transformed)} />
      <ActionDiff names={['a′', 'a″']} before={parameterText(transformed)} beforeTitle="After policy" {...after} />
    </>
  );
}
