import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Types } from 'mongoose';
import type { ImportReport } from '../../../src/transfer/import/import-report.js';
import { openMarkdown } from '../../../src/transfer/import/markdown/markdown-source.js';
import type { ImportOptions } from '../../../src/transfer/import/importer.service.js';
import { temporaryFolder } from '../../support/process.js';
import type { TestApp } from '../../support/start-app.js';
import { importInto } from '../import/fixture.js';

/** A record of a picture, as far as tests read it. */
export interface StoredMedia {
  readonly _id: Types.ObjectId;
  readonly owner: Types.ObjectId;
  readonly name: string;
  readonly alt: string;
  readonly width: number;
  readonly unusedSince?: Date;
}

/** Writes texts and pictures into a new temporary folder, by their paths within it. @returns its path */
export async function siteWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** A Markdown file of an article that is live. */
export function articleFile(title: string, text: string): string {
  return `---\ntitle: ${title}\ndate: 2024-01-31\n---\n\n${text}\n`;
}

/** Imports a folder of Markdown with its pictures. */
export async function importFolder(
  server: TestApp,
  folder: string,
  { fetch = false, baseUrl = null, ...options }: FolderOptions,
): Promise<ImportReport> {
  const source = await openMarkdown(folder, baseUrl);
  return importInto(server, source, { ...options, pictures: { media: true, fetch } });
}

interface FolderOptions extends Pick<ImportOptions, 'author'> {
  readonly fetch?: boolean;
  readonly baseUrl?: string | null;
  readonly dryRun?: boolean;
}

export async function storedMedia({ db }: TestApp): Promise<StoredMedia[]> {
  return db.collection<StoredMedia>('media').find().sort({ name: 1 }).toArray();
}

/** The text of the live article with this slug, as readers get it. */
export async function publicText(server: TestApp, slug: string): Promise<string> {
  const { body } = await server.client.get<{ text: string }>(`/blog/slug/${slug}`);
  return body.data.text;
}
