/**
 * Option of a query that names a record by its id and says more about it. Other indexes could serve
 * the rest; MongoDB would try them, and with few records remember the wrong one.
 */
export const BY_ID = { hint: { _id: 1 } } as const;
