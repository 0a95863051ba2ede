import type { AttributeFact } from './snapshot';

const mostSubjects = 5_000;
const mostPerSubject = 200;

/** Attributes by subject: the newest observation per name and source. When full, the subject longest untouched goes. */
export class AttributeTable {
  private readonly subjects = new Map<string, Map<string, AttributeFact>>();

  get isEmpty(): boolean {
    return this.subjects.size === 0;
  }

  put(fact: AttributeFact): void {
    const known = this.subjects.get(fact.subject) ?? new Map<string, AttributeFact>();
    // Touched subjects move to the end, so that the first is the one to forget.
    this.subjects.delete(fact.subject);
    this.subjects.set(fact.subject, known);
    const key = `${fact.name}\n${fact.source}`;
    const old = known.get(key);
    if (old && old.observed_at > fact.observed_at) return;
    known.delete(key);
    known.set(key, fact);
    forgetFirst(known, mostPerSubject);
    forgetFirst(this.subjects, mostSubjects);
  }

  /** Subjects that are known. */
  get size(): number {
    return this.subjects.size;
  }

  /** The same facts, for a session that starts with them. */
  copy(): AttributeTable {
    const copied = new AttributeTable();
    for (const [subject, facts] of this.subjects) copied.subjects.set(subject, new Map(facts));
    return copied;
  }

  of(subjects: readonly string[]): readonly AttributeFact[] {
    return subjects.flatMap((subject) => [...(this.subjects.get(subject)?.values() ?? [])]);
  }
}

/** Keeps a map within its bound: what was put in first goes. */
export function forgetFirst<Key>(map: Map<Key, unknown>, most: number): void {
  if (map.size <= most) return;
  const first = map.keys().next();
  if (first.done !== true) map.delete(first.value);
}
