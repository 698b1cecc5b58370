import type { Command } from 'commander';
import { addImportPressroom } from './archive/import-pressroom.js';
import { addImportSources } from './import/import-sources.js';

/** Adds `pressroom import`, which imports articles of other programs, or an export of Pressroom. */
export function addImportCommand(program: Command): void {
  const parent = program
    .command('import')
    .description('move articles in; can be repeated, and goes on where it was interrupted');
  addImportSources(parent);
  addImportPressroom(parent);
}
