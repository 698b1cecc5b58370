import type { Types } from 'mongoose';
import type { BlogEvent, BlogEventName, RecordState } from './blog-event.schema.js';

/** What each state becomes; one state when all become the same. */
export type Targets = RecordState | Readonly<Partial<Record<RecordState, RecordState>>>;

type Stage = Record<string, unknown>;

const is = (flag: string): Stage => ({ $eq: [`$${flag}`, true] });

/** The conditions of the states, as `stateOf` decides them: the first that holds; else a draft. */
const CONDITIONS: readonly (readonly [RecordState, Stage])[] = [
  ['deleted', { $eq: ['$status', false] }],
  ['live in review', { $and: [is('submitted'), is('published')] }],
  ['in review', is('submitted')],
  ['live with draft', { $and: [is('published'), is('drafted')] }],
  ['live', is('published')],
];

/**
 * A stage of an update pipeline that appends the event of a move to `events`. It computes the states
 * and the revisions from the record as it was, so it stands before the stages that change them.
 *
 * @param by who makes the move
 */
export function appendEvent(
  move: BlogEventName,
  { by, at, to }: { readonly by: Types.ObjectId; readonly at: Date; readonly to: Targets },
): { readonly $set: { readonly events: Stage } } {
  const revBefore = { $ifNull: ['$rev', 0] };
  const event: Readonly<Record<keyof BlogEvent, unknown>> = {
    move,
    by,
    at,
    from: stateExpression((state) => state),
    to: typeof to === 'string' ? to : stateExpression((state) => to[state] ?? state),
    revBefore,
    rev: { $add: [revBefore, 1] },
  };
  return { $set: { events: { $concatArrays: [{ $ifNull: ['$events', []] }, [event]] } } };
}

/** The event of a new blog, which is stored with it. */
export function creationEvent(by: Types.ObjectId, at: Date): BlogEvent {
  return { move: 'create', by, at, from: null, to: 'draft', revBefore: 0, rev: 1 };
}

/**
 * The update that removes a blog for good. The events that are not in `blog_events` yet must not be
 * lost, so the record becomes a tombstone: `_id`, a mark and those events, and nothing else, so that
 * no query for blogs finds it. The relay deletes it once it has stored the events.
 */
export function removal(
  move: BlogEventName,
  { by, at }: { readonly by: Types.ObjectId; readonly at: Date },
): Stage[] {
  return [
    appendEvent(move, { by, at, to: 'deleted' }),
    { $replaceWith: { _id: '$_id', removed: true, events: '$events' } },
  ];
}

/** Every record but the tombstones: for what walks through the whole collection. */
export const NOT_REMOVED = { removed: { $exists: false } } as const;

/** Decides by the flags of the record; `value` says what stands for each state. */
function stateExpression(value: (state: RecordState) => RecordState): Stage {
  return {
    $switch: {
      branches: CONDITIONS.map(([state, condition]) => ({ case: condition, then: value(state) })),
      default: value('draft'),
    },
  };
}
