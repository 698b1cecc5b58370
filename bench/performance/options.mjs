import { parseArgs } from 'node:util';
import { UserError } from '../../scripts/support/user-error.ts';

export const USAGE = `npm run bench -- [options]
  --articles FILE     real articles, one JSON object a line, as the base of the generated ones
  --count N           live articles (10000; bars 4, 5, 10 and 11 need 1000000)
  --data FOLDER       keeps the database there, and finds it there the next time
  --only a,b          these cases only
  --rounds N          rounds of each measurement (5)
  --seconds N         length of a round (5)
  --short             two minutes; fails when a ratio is a third below reference.json three times
  --write-reference   the short form, written to reference.json
  --profile           where the processor time goes; --only warm,uncached,lists says of which reads
  --json FILE         the figures
  --plot FOLDER       two plots (SVG)`;

const WHOLE = ['count', 'rounds', 'seconds'];
const USUAL = { count: 10_000, rounds: 5, seconds: 5 };
const SHORT = { count: 1_000, rounds: 3, seconds: 1 };

/** @throws UserError for options that make no sense */
export function readOptions(args) {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const values = valuesOf(args, USAGE, {
    ...{ articles: text, count: text, data: text, only: text, rounds: text, seconds: text },
    ...{ json: text, plot: text },
    ...{ short: flag, 'write-reference': flag, profile: flag, help: flag },
  });
  for (const name of WHOLE.filter((option) => values[option] !== undefined)) {
    if (!/^[1-9]\d{0,7}$/.test(values[name])) throw new UserError(`--${name} is no number`);
    values[name] = Number(values[name]);
  }
  const isShort = values.short || values['write-reference'];
  return {
    ...(isShort ? SHORT : USUAL),
    ...values,
    short: isShort,
    only: values.only?.split(',') ?? [],
  };
}

/** @throws UserError with the usage for what `parseArgs` does not understand */
export function valuesOf(args, usage, options) {
  try {
    return { ...parseArgs({ args, options }).values };
  } catch (error) {
    throw new UserError(`${error.message}\n\n${usage}`);
  }
}
