import type { Command } from 'commander';
import type {
  ArticleSource,
  SourceOptions,
} from '../../../transfer/import/articles/imported-article.js';
import { openGhost } from '../../../transfer/import/ghost/ghost-source.js';
import { openMarkdown } from '../../../transfer/import/markdown/markdown-source.js';
import { openMedium } from '../../../transfer/import/newsletters/medium-source.js';
import { openSubstack } from '../../../transfer/import/newsletters/substack-source.js';
import { expectKind, type SourceKind } from '../../../transfer/import/files/source-kind.js';
import { openWordpress } from '../../../transfer/import/wordpress/wordpress-source.js';
import { runImport, withImportOptions, type ImportCommandOptions } from './run-import.js';

/** A program whose articles can be imported. */
interface Source {
  readonly kind: SourceKind;
  readonly description: string;
  readonly argument: readonly [name: string, description: string];
  /** Whether its exports hold pages, which `--pages` imports as well. */
  readonly hasPages: boolean;
  /** What follows `pressroom import`. */
  readonly example: string;
  readonly open: (path: string, options: SourceOptions) => Promise<ArticleSource>;
}

/** The sources in the order of the help. */
const SOURCES: readonly Source[] = [
  {
    kind: 'markdown',
    description: 'a folder of Markdown, as of Astro, Hugo, Jekyll or Eleventy',
    argument: ['<dir>', 'the folder with the articles'],
    hasPages: false,
    example: 'markdown content/posts --author you@example.org',
    open: (dir, { baseUrl }) => openMarkdown(dir, baseUrl),
  },
  {
    kind: 'ghost',
    description: 'an export of Ghost (Settings, Labs, Export)',
    argument: ['<file>', 'the JSON file, or a zip of it and content/images'],
    hasPages: true,
    example: 'ghost ghost.json --base-url https://blog.example.org',
    open: openGhost,
  },
  {
    kind: 'wordpress',
    description: 'an export of WordPress (Tools, Export, All content)',
    argument: ['<file>', 'the XML file (WXR)'],
    hasPages: true,
    example: 'wordpress wordpress.xml --dry-run',
    open: openWordpress,
  },
  {
    kind: 'medium',
    description: 'an export of Medium (Settings, Security and apps, Download your information)',
    argument: ['<file>', 'the zip, or the folder that it was unpacked to'],
    hasPages: false,
    example: 'medium medium-export.zip --author you@example.org',
    open: openMedium,
  },
  {
    kind: 'substack',
    description: 'an export of Substack (Settings, Exports)',
    argument: ['<file>', 'the zip, or the folder that it was unpacked to'],
    hasPages: true,
    example: 'substack export.zip --author you@example.org',
    open: openSubstack,
  },
];

interface SourceCommandOptions extends ImportCommandOptions {
  readonly pages?: boolean;
}

/** Adds `pressroom import <source> PATH` for each source. */
export function addImportSources(parent: Command): void {
  for (const source of SOURCES) addImportSource(parent, source);
}

function addImportSource(
  parent: Command,
  { kind, description, argument, hasPages, example, open }: Source,
): void {
  const command = parent
    .command(kind)
    .description(description)
    .argument(...argument);
  withImportOptions(command);
  if (hasPages) command.option('--pages', 'import pages as well');
  command
    .addHelpText('after', `\nExample:\n  npx pressroom import ${example}`)
    .action(async (path: string, options: SourceCommandOptions, self: Command) => {
      const { baseUrl = null, pages = false } = options;
      await runImport(self, options, async () => {
        await expectKind(path, kind);
        return open(path, { baseUrl, pages });
      });
    });
}
