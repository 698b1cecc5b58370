import { UserError } from '../../scripts/support/user-error.ts';
import { entryOf } from '../support/built.ts';
import { valuesOf } from '../support/program.ts';

export const USAGE = `npm run bench -- [options]
  --articles FILE     real articles, one JSON object a line, as the base of the generated ones
  --count N           live articles (10000; depth, similar, memory and start need 1000000)
  --data FOLDER       keeps the database there, and finds it there the next time
  --only a,b          runs these cases only
  --rounds N          rounds of each measurement (5)
  --seconds N         length of a round (5)
  --short             two minutes; fails if a ratio is over a third below its reference in three tries
  --write-reference   measures the short form and writes its ratios to reference.json
  --baseline DIR      compares with the built server of another checkout, which gets the same articles in a
                      database of its own. Cases: cached, uncached, lists and writes; with --short, the rows
                      of that form, and writes. A row fails when this build is worse in every round
  --baseline-count N  live articles of the baseline's database, if not as many
  --json FILE         writes the figures to this file`;

export type Options = ReturnType<typeof readOptions>;

const DEFAULTS = { count: 10_000, rounds: 5, seconds: 5 };
const SHORT_DEFAULTS = { count: 1_000, rounds: 3, seconds: 1 };
const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

/** @throws UserError for options that make no sense */
export function readOptions(args: string[]) {
  const values = valuesOf(args, USAGE, {
    articles: TEXT,
    baseline: TEXT,
    'baseline-count': TEXT,
    count: TEXT,
    data: TEXT,
    json: TEXT,
    only: TEXT,
    rounds: TEXT,
    seconds: TEXT,
    short: FLAG,
    'write-reference': FLAG,
  });
  const isShort = values.short || values['write-reference'];
  const defaults = isShort ? SHORT_DEFAULTS : DEFAULTS;
  const numberOf = (name: keyof typeof DEFAULTS | 'baseline-count', usual: number) => {
    const value = values[name] ?? String(usual);
    if (!/^[1-9]\d{0,7}$/.test(value)) throw new UserError(`--${name} is no number`);
    return Number(value);
  };
  const count = numberOf('count', defaults.count);
  return {
    ...values,
    baseline: values.baseline === undefined ? null : entryOf(values.baseline),
    count,
    baselineCount: numberOf('baseline-count', count),
    rounds: numberOf('rounds', defaults.rounds),
    seconds: numberOf('seconds', defaults.seconds),
    short: isShort,
    only: values.only?.split(',') ?? [],
  };
}
