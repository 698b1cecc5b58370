import type { Types } from 'mongoose';
import {
  BLOG_STATE_NAMES,
  EDITED_STATES,
  stateCondition,
  type BlogState,
} from '../core/blog.state.js';
import type { TransitionDetails, Targets } from '../core/transitions/transition.js';
import { IS_UNEDITED, literal } from '../core/transitions/live-version.js';
import { announcedField } from './announcements.js';
import {
  eventsWithoutNotes,
  type BlogEvent,
  type BlogEventName,
  type RecordState,
} from './blog-event.schema.js';

type Stage = Record<string, unknown>;

/**
 * A stage of an update pipeline that appends the event of a transition to `events`. It must precede
 * the stages that change the state and the revision, because it reads both as they were before the
 * transition, and follow the stage that stores edited fields, which may decide the state after it.
 *
 * @param by the user who makes the transition; null for the server itself
 */
export function appendEvent(
  transition: BlogEventName,
  {
    by,
    at,
    to,
    endsWithoutEdits = false,
    details = {},
  }: {
    readonly by: Types.ObjectId | null;
    readonly at: Date;
    readonly to: Targets;
    readonly endsWithoutEdits?: boolean;
    readonly details?: TransitionDetails;
  },
): { readonly $set: { readonly events: Stage } } {
  const stateAfter = (state: RecordState): StateValue =>
    endsWithoutEdits && EDITED_STATES.includes(state)
      ? { $cond: [IS_UNEDITED, 'live', state] }
      : state;
  const revBefore = { $ifNull: ['$rev', 0] };
  const event: Readonly<Record<Exclude<keyof BlogEvent, 'announced'>, unknown>> = {
    move: transition,
    by,
    at,
    from: stateExpression((state) => state),
    to: typeof to === 'string' ? to : stateExpression((state) => stateAfter(to[state] ?? state)),
    revBefore,
    rev: { $add: [revBefore, 1] },
    note: literal(details.note),
    ...announcedField(transition, details),
  };
  return { $set: { events: { $concatArrays: [{ $ifNull: ['$events', []] }, [event]] } } };
}

/** The first event of a blog, which is inserted with the blog. */
export function creationEvent(by: Types.ObjectId, at: Date): BlogEvent {
  return { move: 'create', by, at, from: null, to: 'draft', revBefore: 0, rev: 1 };
}

/** The first event of an imported blog. */
export function importEvent(to: BlogState, at: Date): BlogEvent {
  return { move: 'import', by: null, at, from: null, to, revBefore: 0, rev: 1 };
}

/**
 * The update that removes a blog. Its events may not be in `blog_events` yet, so the record becomes
 * a tombstone with `_id`, `removed`, `events` without notes, and `publicChanges`. Queries for blogs do not match a tombstone.
 * The outbox relay deletes the tombstone after storing its events.
 */
export function removal(
  transition: BlogEventName,
  { by, at }: { readonly by: Types.ObjectId | null; readonly at: Date },
): Stage[] {
  return [
    appendEvent(transition, { by, at, to: 'deleted' }),
    {
      $replaceWith: {
        _id: '$_id',
        removed: true,
        events: eventsWithoutNotes(),
        publicChanges: '$publicChanges',
      },
    },
  ];
}

/** A state, or an aggregation expression for one. */
type StateValue = RecordState | Stage;

/** An aggregation expression that finds the state of the record and results in `value` of that state. */
function stateExpression(value: (state: RecordState) => StateValue): Stage {
  const branches = BLOG_STATE_NAMES.map((state) => ({
    case: stateCondition(state),
    then: value(state),
  }));
  return {
    $cond: [{ $eq: ['$status', false] }, value('deleted'), { $switch: { branches } }],
  };
}
