import { BLOG_STATE_NAMES, type BlogState } from '../../src/blog/core/blog.state.js';
import type { Transition } from '../../src/blog/core/transitions/transition.js';
import {
  TRANSITIONS,
  transitionOf,
  type TransitionName,
} from '../../src/blog/core/transitions/transition-table.js';

type Place = BlogState | 'trash' | '[*]';

/** What no row of transitions has: the creation, and the end of what was in the trash. */
const FIRST_AND_LAST: readonly (readonly [Place, Place, string])[] = [
  ['[*]', 'draft', 'create'],
  ['trash', '[*]', 'purge'],
];

function targetOf({ to }: Transition, from: BlogState): Place {
  const target = typeof to === 'string' ? to : (to[from] ?? from);
  return target === 'deleted' ? 'trash' : target;
}

function edgesOf(name: TransitionName): (readonly [Place, Place, string])[] {
  const transition = transitionOf(name);
  const from: readonly Place[] = transition.fromTrash ? ['trash'] : transition.from;
  return from.map((state) => [state, targetOf(transition, state as BlogState), name]);
}

const idOf = (place: Place): string => place.replaceAll(' ', '_');

/** A Mermaid diagram of the states of a blog, with an arrow for each transition of the table of transitions. */
export function stateDiagram(): string {
  const labels = new Map<string, string[]>();
  const names = Object.keys(TRANSITIONS) as TransitionName[];
  for (const [from, to, name] of [...FIRST_AND_LAST, ...names.flatMap(edgesOf)]) {
    const arrow = `${idOf(from)} --> ${idOf(to)}`;
    labels.set(arrow, [...(labels.get(arrow) ?? []), name]);
  }
  return [
    'stateDiagram-v2',
    ...BLOG_STATE_NAMES.filter((name) => name.includes(' ')).map(
      (name) => `  state "${name}" as ${idOf(name)}`,
    ),
    ...[...labels].map(([arrow, transitions]) => `  ${arrow}: ${transitions.join(', ')}`),
  ].join('\n');
}
