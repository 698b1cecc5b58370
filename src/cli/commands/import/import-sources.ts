import type { Command } from 'commander';
import { openGhost } from '../../../transfer/import/ghost/ghost-source.js';
import { openMarkdown } from '../../../transfer/import/markdown/markdown-source.js';
import { openMedium } from '../../../transfer/import/newsletters/medium-source.js';
import { openSubstack } from '../../../transfer/import/newsletters/substack-source.js';
import { expectKind } from '../../../transfer/import/files/source-kind.js';
import { openWordpress } from '../../../transfer/import/wordpress/wordpress-source.js';
import { runImport, withImportOptions, type ImportCommandOptions } from './run-import.js';

interface PagesOptions extends ImportCommandOptions {
  readonly pages?: boolean;
}

/** Adds `pressroom import markdown DIR`. */
export function addImportMarkdown(parent: Command): void {
  const command = parent
    .command('markdown')
    .description('a folder of Markdown, as of Astro, Hugo, Jekyll or Eleventy')
    .argument('<dir>', 'the folder with the articles');
  withImportOptions(command)
    .addHelpText('after', exampleOf('markdown content/posts --author you@example.org'))
    .action(async (dir: string, options: ImportCommandOptions, self: Command) => {
      await runImport(self, options, async () => {
        await expectKind(dir, 'markdown');
        return openMarkdown(dir, options.baseUrl ?? null);
      });
    });
}

/** Adds `pressroom import ghost FILE.json`. */
export function addImportGhost(parent: Command): void {
  const command = parent
    .command('ghost')
    .description('an export of Ghost (Settings, Labs, Export)')
    .argument('<file>', 'the JSON file');
  withImportOptions(command)
    .option('--pages', 'import pages as well')
    .addHelpText('after', exampleOf('ghost ghost.json --base-url https://blog.example.org'))
    .action(async (file: string, options: PagesOptions, self: Command) => {
      const { baseUrl = null, pages = false } = options;
      await runImport(self, options, async () => {
        await expectKind(file, 'ghost');
        return openGhost(file, { baseUrl, pages });
      });
    });
}

/** Adds `pressroom import wordpress FILE.xml`. */
export function addImportWordpress(parent: Command): void {
  const command = parent
    .command('wordpress')
    .description('an export of WordPress (Tools, Export, All content)')
    .argument('<file>', 'the XML file (WXR)');
  withImportOptions(command)
    .option('--pages', 'import pages as well')
    .addHelpText('after', exampleOf('wordpress wordpress.xml --dry-run'))
    .action(async (file: string, options: PagesOptions, self: Command) => {
      const { baseUrl = null, pages = false } = options;
      await runImport(self, options, async () => {
        await expectKind(file, 'wordpress');
        return openWordpress(file, { baseUrl, pages });
      });
    });
}

/** Adds `pressroom import medium FILE.zip`. */
export function addImportMedium(parent: Command): void {
  const command = parent
    .command('medium')
    .description('an export of Medium (Settings, Security and apps, Download your information)')
    .argument('<file>', 'the zip, or the folder that it was unpacked to');
  withImportOptions(command)
    .addHelpText('after', exampleOf('medium medium-export.zip --author you@example.org'))
    .action(async (file: string, options: ImportCommandOptions, self: Command) => {
      await runImport(self, options, async () => {
        await expectKind(file, 'medium');
        return openMedium(file);
      });
    });
}

/** Adds `pressroom import substack FILE.zip`. */
export function addImportSubstack(parent: Command): void {
  const command = parent
    .command('substack')
    .description('an export of Substack (Settings, Exports)')
    .argument('<file>', 'the zip, or the folder that it was unpacked to');
  withImportOptions(command)
    .option('--pages', 'import pages as well')
    .addHelpText('after', exampleOf('substack export.zip --author you@example.org'))
    .action(async (file: string, options: PagesOptions, self: Command) => {
      const { baseUrl = null, pages = false } = options;
      await runImport(self, options, async () => {
        await expectKind(file, 'substack');
        return openSubstack(file, { baseUrl, pages });
      });
    });
}

function exampleOf(args: string): string {
  return `\nExample:\n  npx pressroom import ${args}`;
}
