/**
 * Option for a query by `_id` with further conditions. Without the hint MongoDB would also try the
 * indexes for those conditions, and might cache a plan with one of them while there are few records.
 */
export const BY_ID = { hint: { _id: 1 } } as const;
