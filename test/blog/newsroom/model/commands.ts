import fc from 'fast-check';
import { RunCommand, weighted, type ModelContext } from '../../../support/model/run-command.js';
import { AUTHOR_TRANSITIONS } from './operations/author-transitions.js';
import { EDITOR_TRANSITIONS } from './operations/editor-transitions.js';
import { READ_NAMES } from './observation.js';
import type { Operation } from './operations/operation.js';
import type { Drawn, Run } from './run.js';
import type { Who } from './world.js';

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...AUTHOR_TRANSITIONS,
  ...EDITOR_TRANSITIONS,
};

/** How often an operation is drawn, relative to an operation that is not listed, whose weight is 1. */
const WEIGHTS: Readonly<Record<string, number>> = {
  edit: 2,
  submit: 3,
  publish: 2,
  discard: 3,
  restore: 3,
  undelete: 3,
  purge: 2,
};

const anyBlogIndex = fc.nat({ max: 1 });

const drawOf = (name: string, operation: Operation): fc.Arbitrary<Drawn> =>
  fc.record({
    name: fc.constant(name),
    operation: fc.constant(operation),
    by: fc.constantFrom(...operation.by),
    blog: anyBlogIndex,
    args: operation.args,
    ifMatch: fc.constantFrom('none', 'current', 'current', 'other'),
  });

const drawWhere = (isWanted: (operation: Operation) => boolean): fc.Arbitrary<Drawn> =>
  fc.oneof(
    ...Object.entries(OPERATIONS)
      .filter(([, operation]) => isWanted(operation))
      .map(([name, operation]) => ({
        arbitrary: drawOf(name, operation),
        weight: WEIGHTS[name] ?? 1,
      })),
  );

const labelOf = ({ name, by, blog, ifMatch, args, operation }: Drawn): string =>
  `${operation.asAdmin ? 'admin' : by}: ${name} of blog ${blog} ${JSON.stringify(args)}` +
  (operation.isConditional ? ` (If-Match: ${ifMatch})` : '');

const anyOperation = drawWhere(() => true);
const requestWhere = (isPossible: (run: Run, drawn: Drawn) => boolean) =>
  anyOperation.map(
    (drawn) =>
      new RunCommand<Run>(
        labelOf(drawn),
        (run) => isPossible(run, drawn),
        (run) => run.perform(drawn),
      ),
  );
const anyRequest = requestWhere(() => true);
/** Skipped if the model would refuse it, so that most commands that run change something. */
const allowedRequest = requestWhere((run, drawn) => run.isAllowed(drawn));

const atomicOperation = drawWhere(({ isAtomic }) => isAtomic);
const concurrentRequests = fc.tuple(atomicOperation, atomicOperation).map(
  ([one, other]) =>
    new RunCommand<Run>(
      `concurrent: ${labelOf(one)} | ${labelOf(other)}`,
      (run) => run.isAllowed(one) && run.isAllowed(other),
      (run) => run.performBoth(one, other),
    ),
);

const anyElapse = fc.tuple(anyBlogIndex, fc.boolean()).map(
  ([blog, includesUnpublish]) =>
    new RunCommand<Run>(
      `time passes for blog ${blog}`,
      (run) => run.nextDue(blog, includesUnpublish).length > 0,
      (run) => run.elapse(blog, run.nextDue(blog, includesUnpublish)),
    ),
);

const anyLook = fc.constantFrom(...READ_NAMES).map(
  (name) =>
    new RunCommand<Run>(
      `read: ${name}`,
      () => true,
      (run) => run.look(name),
    ),
);

const step = (name: string, by: Who, args: unknown = null): Drawn => ({
  name,
  operation: OPERATIONS[name] as Operation,
  by,
  blog: 0,
  ifMatch: 'current',
  args,
});
const SUBMIT = step('submit', 'ann');
const PUBLISH = step('publish', 'cleo');
const EDIT = step('edit', 'ann', { number: 2, slug: 'three' });
const SET_BACK = step('correct', 'ben', { number: 0, slug: 'one' });

/** The first transitions of a run, by the state to which they lead. They make every state frequent. */
export const STARTS = {
  draft: [],
  'in review': [SUBMIT],
  live: [SUBMIT, PUBLISH],
  'live with draft': [SUBMIT, PUBLISH, EDIT],
  'live in review': [SUBMIT, PUBLISH, EDIT, SUBMIT],
  'set back in review': [SUBMIT, PUBLISH, EDIT, SUBMIT, SET_BACK],
  'in trash': [SUBMIT, step('delete', 'ann')],
} as const satisfies Record<string, readonly Drawn[]>;

export const anyStart = fc.constantFrom(...(Object.keys(STARTS) as (keyof typeof STARTS)[]));

export const anyCommands = fc.commands<ModelContext<Run>, null, false>(
  [
    ...weighted(12, allowedRequest),
    ...weighted(2, anyRequest),
    concurrentRequests,
    concurrentRequests,
    anyElapse,
    anyLook,
  ],
  // `size: 'max'` makes all lengths up to 40 equally likely. Most commands are skipped, so a run makes fewer.
  { maxCommands: 40, size: 'max' },
);
