import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/run.ts';
import { IDENTITIES, type IdentityName } from './fuzz/test-data.ts';
import { messageOf } from './support/user-error.ts';

const NAMES = Object.keys(IDENTITIES) as IdentityName[];

const USAGE = `usage: npm run fuzz -- [options]

  --seconds N       duration of the run, without the installation (150)
  --cases N         run until N cases have been sent, whatever --seconds says (200000 is the long run)
  --identity NAME   send requests as this identity only: ${NAMES.join(', ')}; may be repeated
  --seed N          repeat the cases of an earlier run
`;

function exitWith(message: string, code = 64): never {
  console.error(message);
  process.exit(code);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seconds: { type: 'string', default: '150' },
        cases: { type: 'string' },
        identity: { type: 'string', multiple: true, default: NAMES },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        help: { type: 'boolean', default: false },
      },
    });
    for (const name of ['seconds', 'cases', 'seed'] as const) {
      if (!/^\d{1,9}$/.test(values[name] ?? '0')) {
        throw new Error(`--${name} must be a whole number`);
      }
    }
    const unknown = values.identity.find((name) => !Object.hasOwn(IDENTITIES, name));
    if (unknown !== undefined) throw new Error(`there is no identity "${unknown}"`);
    return { ...values, identity: values.identity as IdentityName[] };
  } catch (error) {
    return exitWith(`${messageOf(error)}\n\n${USAGE}`);
  }
}

const { seconds, cases, identity, seed, help } = readOptions();
if (help) exitWith(USAGE, 0);

const isPassed = await fuzz({
  seconds: Number(seconds),
  cases: cases === undefined ? null : Number(cases),
  identities: identity,
  seed: Number(seed),
});
process.exitCode = isPassed ? 0 : 1;
