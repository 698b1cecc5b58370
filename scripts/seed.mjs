import { fileURLToPath } from 'node:url';

const PRESSROOM = fileURLToPath(new URL('../bin/pressroom.mjs', import.meta.url));

/** Does what `pressroom seed` does, with the same options. */
process.argv.splice(1, 1, PRESSROOM, 'seed');
await import(PRESSROOM);
