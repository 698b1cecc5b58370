import { BLOG_STATES, type BlogState } from '../../src/blog/core/blog.state.js';
import type { Move } from '../../src/blog/core/transitions/move.js';
import { MOVES, moveOf, type MoveName } from '../../src/blog/core/transitions/move-table.js';

type Place = BlogState | 'trash' | '[*]';

const STATE_NAMES = Object.keys(BLOG_STATES) as BlogState[];

/** What no row of MOVES has: the creation, and the end of what was in the trash. */
const FIRST_AND_LAST: readonly (readonly [Place, Place, string])[] = [
  ['[*]', 'draft', 'create'],
  ['trash', '[*]', 'purge'],
];

function targetOf({ to }: Move, from: BlogState): Place {
  const target = typeof to === 'string' ? to : (to[from] ?? from);
  return target === 'deleted' ? 'trash' : target;
}

function edgesOf(name: MoveName): (readonly [Place, Place, string])[] {
  const move = moveOf(name);
  const from: readonly Place[] = move.fromTrash ? ['trash'] : move.from;
  return from.map((state) => [state, targetOf(move, state as BlogState), name]);
}

const idOf = (place: Place): string => place.replaceAll(' ', '_');

/** A Mermaid diagram of the states of a blog, with an arrow for each move of the table of moves. */
export function stateDiagram(): string {
  const labels = new Map<string, string[]>();
  const names = Object.keys(MOVES) as MoveName[];
  for (const [from, to, name] of [...FIRST_AND_LAST, ...names.flatMap(edgesOf)]) {
    const arrow = `${idOf(from)} --> ${idOf(to)}`;
    labels.set(arrow, [...(labels.get(arrow) ?? []), name]);
  }
  return [
    'stateDiagram-v2',
    ...STATE_NAMES.filter((name) => name.includes(' ')).map(
      (name) => `  state "${name}" as ${idOf(name)}`,
    ),
    ...[...labels].map(([arrow, moves]) => `  ${arrow}: ${moves.join(', ')}`),
  ].join('\n');
}
