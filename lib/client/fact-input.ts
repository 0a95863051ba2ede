import { factTypeOf, type FactType } from '@/lib/shared/fact-type';
import type { Json } from '@/lib/shared/json';

/** What somebody typed, as a value of the type that is asked for; undefined while it is none. A list has an item a line. */
export function factFrom(type: FactType, typed: string): Json | undefined {
  const value = valueOf(type, typed.trim());
  return value !== undefined && factTypeOf(value) === type ? value : undefined;
}

function valueOf(type: FactType, text: string): Json | undefined {
  switch (type) {
    case 'string':
      return text;
    case 'number':
      return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'yes' ? true : text === 'no' ? false : undefined;
    case 'list':
      return text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  }
}
