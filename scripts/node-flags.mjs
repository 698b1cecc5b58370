import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The flags with which `npm run start:prod` starts Node, for whoever starts the server otherwise. */
export const NODE_FLAGS = scripts['start:prod']
  .split(/\s+/)
  .filter((word) => word.startsWith('--'));
