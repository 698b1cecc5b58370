import type { Command } from 'commander';
import { documentedSettings, type DocumentedSetting } from './env-example.ts';
import { stateDiagram, type Transition } from './state-diagram.ts';

/** The declarations of the server from which the tables are made. */
export interface Declarations {
  /** The text of `.env.example`. */
  readonly envExample: string;
  /** The values of the settings when the environment is empty. A setting without a default is undefined or empty. */
  readonly defaults: object;
  readonly program: Command;
  readonly events: Readonly<Record<string, { when: string; data: readonly string[] }>>;
  readonly reasons: Readonly<Record<string, { status: number; meaning: string }>>;
  /** What an API key may do with each scope. */
  readonly scopes: Readonly<Record<string, { meaning: string }>>;
  /** The states of a blog, and the transitions between them. */
  readonly states: readonly string[];
  /** The states of a live blog with edits. */
  readonly editedStates: readonly string[];
  readonly transitions: Readonly<Record<string, Transition>>;
}

/** A table, or the diagram of the states, which its page has between the markers with this name. */
export interface GeneratedTable {
  readonly name: 'settings' | 'commands' | 'events' | 'reasons' | 'scopes' | 'states';
  readonly page: string;
  readonly text: string;
}

type Row = readonly (string | number)[];

export function generatedTables(declared: Declarations): GeneratedTable[] {
  const { reasons, scopes, events, program } = declared;
  return [
    { name: 'settings', page: 'docs/settings.md', text: settings(declared) },
    { name: 'commands', page: 'docs/commands.md', text: commands(program) },
    { name: 'states', page: 'docs/newsroom.md', text: stateDiagram(declared) },
    {
      name: 'events',
      page: 'docs/api.md',
      text: table(
        ['`type`', 'When', '`data`'],
        Object.entries(events).map(([type, { when, data }]) => [
          `\`${type}\``,
          when,
          data.map((member) => `\`${member}\``).join(', '),
        ]),
      ),
    },
    {
      name: 'reasons',
      page: 'docs/api.md',
      text: table(
        ['`reason`', 'Status', 'Meaning'],
        Object.entries(reasons).map(([reason, { status, meaning }]) => [
          `\`${reason}\``,
          status,
          meaning,
        ]),
      ),
    },
    {
      name: 'scopes',
      page: 'docs/api.md',
      text: table(
        ['Scope', 'A key with it may'],
        Object.entries(scopes).map(([scope, { meaning }]) => [`\`${scope}\``, meaning]),
      ),
    },
  ];
}

function settings({ envExample, defaults }: Declarations): string {
  const groups = Map.groupBy(documentedSettings(envExample), ({ group }) => group);
  return [...groups]
    .map(([group, rows]) => {
      const cells = rows.map((row) => [
        `\`${row.name}\``,
        defaultOf(row, defaults),
        meaningOf(row),
      ]);
      return `### ${group}\n\n${table(['Setting', 'Default', 'Meaning'], cells)}`;
    })
    .join('\n\n');
}

function defaultOf({ name, value, inProduction }: DocumentedSetting, defaults: object): string {
  const preset: unknown = defaults[name as keyof typeof defaults];
  const isSet = [preset ?? []].flat().length > 0;
  const outsideProduction = isSet ? `\`${value}\`` : 'unset';
  if (inProduction === undefined) return outsideProduction;
  return `${outsideProduction}; in production ${inProduction === 'none' ? 'none' : `\`${inProduction}\``}`;
}

/**
 * Takes the meaning of a setting from its comment. The default in production is removed, because the column
 * `Default` has it, and names of pages become links.
 */
function meaningOf({ meaning, inProduction = '' }: DocumentedSetting): string {
  return meaning
    .replace(` In production ${inProduction}.`, '')
    .replace(`In production ${inProduction}: `, 'In production: ')
    .replaceAll(/docs\/([\w-]+\.md)/g, '[$1]($1)');
}

function commands(program: Command): string {
  return table(['Command', 'What it does', 'Options'], rowsOf(program, []));
}

/** A row for each command. Groups of commands, such as `users`, have no row. */
function rowsOf(command: Command, path: readonly string[]): Row[] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((sub) => rowsOf(sub, [...path, sub.name()]));
  }
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options.map(({ flags }) => `\`${flags}\``);
  return [[`\`${[...path, ...args].join(' ')}\``, command.description(), options.join(', ')]];
}

/** Makes a table without the blanks with which Prettier aligns columns: one long cell would make every row longer. */
function table(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return ['<!-- prettier-ignore -->', ...lines].join('\n');
}
