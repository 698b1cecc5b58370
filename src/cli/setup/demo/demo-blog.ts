import type { NewBlogBody } from '../../../blog/core/blog-fields.js';
import type { BlogState } from '../../../blog/core/blog.state.js';
import type { TransitionName } from '../../../blog/core/transitions/transition-table.js';
import type { DemoPersonName } from './demo-people.js';
import { PATH_TO_STATE } from './path-to-state.js';

export interface DemoBlog extends NewBlogBody {
  readonly slug: string;
  readonly tags: readonly string[];
  readonly author: DemoPersonName;
  /** The state in which `then` begins. */
  readonly state: BlogState;
  /** Changes after publication; only in the two states with a draft of a live article. */
  readonly edit?: Partial<NewBlogBody>;
  /** What happens to the article in that state, in this order. */
  readonly then?: readonly DemoStep[];
}

export interface DemoTransition {
  readonly by: DemoPersonName;
  readonly move: TransitionName;
  /** What an edit or a correction changes. */
  readonly edit?: Partial<NewBlogBody>;
  /** Of a submission or a return. */
  readonly note?: string;
  readonly assignTo?: DemoPersonName;
  readonly publishInDays?: number;
}

export interface DemoComment {
  readonly by: DemoPersonName;
  readonly comment: string;
  readonly quote?: string;
  /** Whether it replies to the comment before it. */
  readonly isReply?: true;
  readonly isResolved?: true;
}

/** What somebody does with an article. */
export type DemoStep = DemoTransition | DemoComment;

/** The editor who publishes the articles. */
const PUBLISHER = 'wen';

/** Everything that happens to an article once it is written. */
export function stepsOf({ author, state, edit = {}, then = [] }: DemoBlog): readonly DemoStep[] {
  const stepFor = {
    submit: { by: author, move: 'submit' },
    publish: { by: PUBLISHER, move: 'publish' },
    edit: { by: author, move: 'edit', edit },
  } as const;
  return [...PATH_TO_STATE[state].map((transition) => stepFor[transition]), ...then];
}
