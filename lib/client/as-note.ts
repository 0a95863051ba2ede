/** A single sentence as a note beside what it is about: without its full stop. Several sentences stay as they are. */
export function asNote(sentence: string): string {
  const bare = sentence.endsWith('.') ? sentence.slice(0, -1) : sentence;
  return bare.includes('. ') ? sentence : bare;
}
