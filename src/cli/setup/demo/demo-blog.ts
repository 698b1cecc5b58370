import type { NewBlogBody } from '../../../blog/core/blog-fields.js';
import type { BlogState } from '../../../blog/core/blog.state.js';
import type { TransitionName } from '../../../blog/core/transitions/transition-table.js';
import type { DemoPersonName } from './demo-people.js';
import { PATH_TO_STATE } from './path-to-state.js';

export interface DemoBlog extends NewBlogBody {
  readonly slug: string;
  readonly tags: readonly string[];
  readonly author: DemoPersonName;
  /** What its cover shows. The cover is drawn from the slug; an article without this has none. */
  readonly coverAlt?: string;
  /** The state that the article has before the steps of `then`. */
  readonly state: BlogState;
  /** The edit after publication, for the states `live with draft` and `live in review`. */
  readonly edit?: Partial<NewBlogBody>;
  /** The steps after the article has reached `state`, in this order. */
  readonly then?: readonly DemoStep[];
}

export interface DemoTransition {
  readonly by: DemoPersonName;
  readonly transition: TransitionName;
  /** The fields that an edit or a correction changes. */
  readonly edit?: Partial<NewBlogBody>;
  /** The note of a submission or a return. */
  readonly note?: string;
  readonly assignTo?: DemoPersonName;
  readonly publishInDays?: number;
}

export interface DemoComment {
  readonly by: DemoPersonName;
  readonly comment: string;
  readonly quote?: string;
  /** Whether the comment replies to the comment before it. */
  readonly isReply?: true;
  readonly isResolved?: true;
}

/** A step in the life of an article: somebody changes its state, or comments. */
export type DemoStep = DemoTransition | DemoComment;

/** The editor who publishes the articles. */
const PUBLISHER = 'wen';

/** All steps of an article after its creation, in order. */
export function stepsOf({ author, state, edit = {}, then = [] }: DemoBlog): readonly DemoStep[] {
  const stepFor = {
    submit: { by: author, transition: 'submit' },
    publish: { by: PUBLISHER, transition: 'publish' },
    edit: { by: author, transition: 'edit', edit },
  } as const;
  return [...PATH_TO_STATE[state].map((transition) => stepFor[transition]), ...then];
}
