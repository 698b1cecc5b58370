import { fileURLToPath } from 'node:url';

const PRESSROOM = fileURLToPath(new URL('../bin/pressroom.mjs', import.meta.url));

/** Runs `pressroom seed` with the options of this command. */
process.argv.splice(1, 1, PRESSROOM, 'seed');
await import(PRESSROOM);
