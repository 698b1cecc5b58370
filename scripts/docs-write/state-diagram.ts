/** What the table of transitions says of the states before and after a transition. */
export interface Transition {
  readonly from: readonly string[];
  /** One state after all, or one by the state before; a state without an entry stays as it is. */
  readonly to: string | Readonly<Partial<Record<string, string>>>;
  readonly fromTrash: boolean;
}

type Edge = readonly [from: string, to: string, name: string];

/** What no row of transitions has: the creation, and the end of what was in the trash. */
const FIRST_AND_LAST: readonly Edge[] = [
  ['[*]', 'draft', 'create'],
  ['trash', '[*]', 'purge'],
];

const idOf = (place: string): string => place.replaceAll(' ', '_');

/** A Mermaid diagram of the states of a blog, with an arrow for each transition of the table. */
export function stateDiagram(
  states: readonly string[],
  transitions: Readonly<Record<string, Transition>>,
): string {
  const edges = [
    ...FIRST_AND_LAST,
    ...Object.entries(transitions).flatMap(([name, transition]) => edgesOf(name, transition)),
  ];
  const names = Map.groupBy(edges, ([from, to]) => `${idOf(from)} --> ${idOf(to)}`);
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...states
      .filter((state) => state.includes(' '))
      .map((state) => `  state "${state}" as ${idOf(state)}`),
    ...[...names].map(
      ([arrow, same]) => `  ${arrow}: ${same.map(([, , name]) => name).join(', ')}`,
    ),
    '```',
  ].join('\n');
}

function edgesOf(name: string, { from, to, fromTrash }: Transition): Edge[] {
  return (fromTrash ? ['trash'] : from).map((state) => {
    const target = typeof to === 'string' ? to : (to[state] ?? state);
    return [state, target === 'deleted' ? 'trash' : target, name];
  });
}
