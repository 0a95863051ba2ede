/** Levels of confidentiality, least first. Every other label is a tag. */
export const labelLevels = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] as const;

/** The level's place, or −1 for a tag. */
export const levelOf = (label: string): number => labelLevels.findIndex((level) => level === label);

/** The highest level among the labels; −1 when none is a level. */
export function highestLevel(labels: readonly string[]): number {
  let highest = -1;
  for (const label of labels) highest = Math.max(highest, levelOf(label));
  return highest;
}

/** A level means it or higher; a tag means exactly that tag. */
export function carriesLabel(labels: readonly string[], wanted: string): boolean {
  const level = levelOf(wanted);
  return level < 0 ? labels.includes(wanted) : highestLevel(labels) >= level;
}
