/** What the table of transitions says of the states before and after a transition. */
export interface Transition {
  readonly from: readonly string[];
  /** The state after the transition, or an entry for each state before it; a state without an entry does not change. */
  readonly to: string | Readonly<Partial<Record<string, string>>>;
  /** Whether the transition leads to `live` instead of a state with edits if there are none. */
  readonly endsWithoutEdits: boolean;
  readonly fromTrash: boolean;
}

type Edge = readonly [from: string, to: string, name: string];

/** The arrows that the table of transitions lacks: a blog is created, and purged from the trash. */
const FIRST_AND_LAST: readonly Edge[] = [
  ['[*]', 'draft', 'create'],
  ['trash', '[*]', 'purge'],
];

const idOf = (state: string): string => state.replaceAll(' ', '_');

/** What the diagram is made of. */
interface DeclaredStates {
  readonly states: readonly string[];
  /** The states of a live blog with edits. */
  readonly editedStates: readonly string[];
  readonly transitions: Readonly<Record<string, Transition>>;
}

/** A Mermaid diagram of the states of a blog, with an arrow for each transition of the table. */
export function stateDiagram({ states, editedStates, transitions }: DeclaredStates): string {
  const edges = [
    ...FIRST_AND_LAST,
    ...Object.entries(transitions).flatMap(([name, transition]) =>
      edgesOf(name, transition, editedStates),
    ),
  ];
  const edgesByArrow = Map.groupBy(edges, ([from, to]) => `${idOf(from)} --> ${idOf(to)}`);
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...states
      .filter((state) => state.includes(' '))
      .map((state) => `  state "${state}" as ${idOf(state)}`),
    ...[...edgesByArrow].map(
      ([arrow, group]) => `  ${arrow}: ${group.map(([, , name]) => name).join(', ')}`,
    ),
    '```',
  ].join('\n');
}

function edgesOf(
  name: string,
  { from, to, endsWithoutEdits, fromTrash }: Transition,
  editedStates: readonly string[],
): Edge[] {
  return (fromTrash ? ['trash'] : from).flatMap((state) => {
    const target = typeof to === 'string' ? to : (to[state] ?? state);
    const mayEndEdits = endsWithoutEdits && editedStates.includes(target) && state !== 'live';
    const targets = [target === 'deleted' ? 'trash' : target, ...(mayEndEdits ? ['live'] : [])];
    return targets.map((each): Edge => [state, each, name]);
  });
}
