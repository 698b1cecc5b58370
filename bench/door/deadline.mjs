/** Whoever waits longer gives up, or a server that has stopped answering would hold up the program. */
export const DEADLINE_MS = 15_000;
