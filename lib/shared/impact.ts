/** How much harm an action can do, from the catalogue. Critical is high plus a quorum of two. */
export const impacts = ['low', 'medium', 'high', 'critical'] as const;
export type Impact = (typeof impacts)[number];

export const isAtLeast = (impact: Impact, floor: Impact): boolean => impacts.indexOf(impact) >= impacts.indexOf(floor);
