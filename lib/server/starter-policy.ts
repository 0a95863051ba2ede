import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { ConsoleParts } from '@/lib/services/console/console-parts';

import { projectRoot } from './project-root';

/**
 * The template that the first owner signs. Somebody alone would never get an approval through with separation of duties
 * on, so their copy switches it off; critical impact keeps it all the same.
 */
export const starterPolicy: ConsoleParts['starterPolicy'] = (mode) => {
  const text = readFileSync(path.join(projectRoot(), 'policies', 'starter.yaml'), 'utf8');
  return { text: mode === 'solo' ? withoutSeparation(text) : text, format: 'yaml' };
};

const required = 'separation: required';

function withoutSeparation(text: string): string {
  if (text.split(required).length !== 2) throw new Error(`The starter policy must say "${required}" exactly once.`);
  return text.replace(required, 'separation: off');
}
