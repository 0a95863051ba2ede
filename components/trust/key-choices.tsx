import type { OwnerKey } from '@/lib/authority/trust-root';
import type { TrustView } from '@/lib/contracts/console/trust';

import { kindWords } from './kind-words';

export type KeyChoice = { readonly owner: OwnerKey; readonly name: string };

/** Every key that could be an owner's: those of the root, and those that people have enrolled. */
export function keyChoices({ root, people, owners }: TrustView): readonly KeyChoice[] {
  const listed = root.owners.map((owner) => ({ owner, name: owners.find(({ person }) => person === owner.person)?.name ?? owner.person }));
  const more = people.flatMap(({ person, name, keys }) => keys.filter(({ id }) => !root.owners.some(({ key }) => key.id === id)).map((key) => ({ owner: { person, key }, name })));
  return [...listed, ...more];
}

interface KeyChoicesProps {
  readonly legend: string;
  readonly choices: readonly KeyChoice[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

export function KeyChoices({ legend, choices, chosen, onChoose }: KeyChoicesProps) {
  return (
    <fieldset className="reasons">
      <legend className="meta">{legend}</legend>
      {choices.map(({ owner: { key }, name }) => (
        <label key={key.id}>
          <input className="check" type="checkbox" checked={chosen.includes(key.id)} onChange={(event) => onChoose(event.target.checked ? [...chosen, key.id] : chosen.filter((one) => one !== key.id))} />
          <span>{name}, {kindWords[key.kind] ?? key.kind} <code>{key.id.slice(0, 8)}</code></span>
        </label>
      ))}
    </fieldset>
  );
}
