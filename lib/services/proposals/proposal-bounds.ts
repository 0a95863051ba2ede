/** How much may be proposed, so that nobody is drowned in cards and nothing piles up. */
export const proposalBounds = {
  /** Open or signed, of everybody. */
  live: 200,
  liveOfMaker: 20,
  /** Made by one agent or person within the hour. */
  anHour: 60,
  /** Steps that owners sign in one statement. */
  steps: 20,
} as const;
