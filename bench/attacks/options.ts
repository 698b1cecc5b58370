import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../scripts/support/user-error.ts';
import { valuesOf } from '../support/program.ts';
import { ATTACKS } from './attacks.ts';
import type { Form } from './bars.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const USAGE = `npm run bench:attacks -- [options]
  --app DIR    runs the built server of another checkout (this one)
  --only a,b   these attacks only: ${ATTACKS.map(({ name }) => name).join(', ')}
  --short      two minutes, on one server; fails at three times a bar, missed twice in a row`;

/** @throws UserError for options that make no sense */
export function readOptions(args: string[]) {
  const values = valuesOf(args, USAGE, {
    app: { type: 'string' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  });
  const names = values.only?.split(',') ?? ATTACKS.map(({ name }) => name);
  const unknown = names.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0) throw new UserError(`no such attack: ${unknown.join(', ')}\n\n${USAGE}`);
  const app = resolve(values.app ?? ROOT);
  const entry = join(app, 'dist/main.js');
  if (values.app !== undefined && !existsSync(entry)) {
    throw new UserError(`${entry} is missing: run "npm run build" there`);
  }
  const form: Form = values.short ? 'short' : 'full';
  return {
    form,
    isOwn: values.app === undefined,
    app,
    entry,
    attacks: ATTACKS.filter(({ name }) => names.includes(name)),
  };
}
