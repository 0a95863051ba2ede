/** The read behind the number beside "Approvals": one row, for its counts. */
export const waitingCount = { scope: 'visible', state: 'waiting', sort: 'time_left', limit: 1 } as const;
