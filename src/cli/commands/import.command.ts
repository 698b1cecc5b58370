import type { Command } from 'commander';
import { addImportPressroom } from './archive/import-pressroom.js';
import {
  addImportGhost,
  addImportMarkdown,
  addImportMedium,
  addImportSubstack,
  addImportWordpress,
} from './import/import-sources.js';

/** The functions that add `pressroom import <source>`, in the order of the help. */
const SOURCES: readonly ((parent: Command) => void)[] = [
  addImportMarkdown,
  addImportGhost,
  addImportWordpress,
  addImportMedium,
  addImportSubstack,
  addImportPressroom,
];

/** Adds `pressroom import`, which imports articles of other programs, or an export of Pressroom. */
export function addImportCommand(program: Command): void {
  const parent = program
    .command('import')
    .description('move articles in; can be repeated, and goes on where it was interrupted');
  for (const add of SOURCES) add(parent);
}
