import { access } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { ReportLine } from '../../import-report.js';
import type { ConversionThread } from '../../thread/conversion-thread.js';
import { isRecord, textOf } from '../field-values.js';
import type { FrontMatter } from '../front-matter.js';
import { readTextFile } from './text-file.js';

/** How many folders above that of the import may be those of its site. */
const PARENTS_MAX = 3;

/**
 * The fields that articles have from their folders and their site: `cascade` in `_index.md` of Hugo, a section of Zola
 * that is a draft, `defaults` in `_config.yml` of Jekyll, and the data files of folders and articles of Eleventy.
 */
export class InheritedFields {
  /** Files that cannot be read. */
  readonly problems: ReportLine[] = [];
  private readonly root: string;
  private readonly read = new Map<string, Promise<FrontMatter>>();

  constructor(
    folder: string,
    private readonly thread: ConversionThread,
  ) {
    this.root = resolve(folder);
  }

  /**
   * @param path the path of the article within the folder
   * @returns the fields; those of inner folders replace those of outer ones
   */
  async of(path: string): Promise<FrontMatter> {
    const article = join(this.root, path);
    const folders = foldersAbove(article, path.split('/').length + PARENTS_MAX);
    const given: FrontMatter[] = [];
    for (const folder of folders) {
      given.push(
        defaultsFor(relative(folder, article), await this.fieldsOf(join(folder, '_config.yml'))),
      );
    }
    for (const folder of folders) given.push(...(await this.givenBy(folder)));
    given.push(await this.fieldsOf(article.replace(/\.[^.]*$/, '.11tydata.json')));
    return given.reduce(withFields, {});
  }

  private async givenBy(folder: string): Promise<FrontMatter[]> {
    const section = await this.fieldsOf(join(folder, '_index.md'));
    const cascades = [section['cascade']].flat().filter(isRecord);
    const data = join(folder, basename(folder));
    return [
      ...(section['draft'] === undefined ? [] : [{ draft: section['draft'] }]),
      ...cascades,
      await this.fieldsOf(`${data}.json`),
      await this.fieldsOf(`${data}.11tydata.json`),
    ];
  }

  private fieldsOf(file: string): Promise<FrontMatter> {
    const known = this.read.get(file) ?? this.readFile(file);
    this.read.set(file, known);
    return known;
  }

  private async readFile(file: string): Promise<FrontMatter> {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (!isThere) return {};
    const text = await readTextFile(file);
    const read =
      typeof text === 'string'
        ? await this.thread.run('readFields', file.endsWith('.md') ? text : fenced(text))
        : text;
    if ('fields' in read) return read.fields;
    const reason = `what it gives to the articles of its folder is not known: ${read.reason}`;
    this.problems.push({ source: relative(this.root, file), reason });
    return {};
  }
}

/** The fields of both; those of `inner` count where both have one. */
function withFields(outer: FrontMatter, inner: FrontMatter): FrontMatter {
  return Object.entries(inner).reduce<FrontMatter>((all, [name, value]) => {
    const other = all[name];
    const both = isRecord(value) && isRecord(other) ? withFields(other, value) : value;
    return { ...all, [name]: both };
  }, outer);
}

/** The folders of a file, the outermost first. */
function foldersAbove(file: string, count: number): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); folders.length < count; folder = dirname(folder)) {
    if (folders[0] === folder) break;
    folders.unshift(folder);
  }
  return folders;
}

/** A file of YAML or JSON as front matter. JSON is YAML. */
function fenced(text: string): string {
  return `---\n${text.replace(/^\uFEFF?---[^\n]*\n/, '')}\n---\n`;
}

/** What `defaults` of Jekyll give to an article. A pattern in a path counts up to its first `*`. */
function defaultsFor(path: string, { defaults }: FrontMatter): FrontMatter {
  const sitePath = path.split(sep).join('/');
  const given = [defaults].flat().flatMap((each) => {
    if (!isRecord(each) || !isRecord(each['values'])) return [];
    const scope = isRecord(each['scope']) ? each['scope'] : {};
    const [start = ''] = (textOf(scope, ['path']) ?? '').replace(/^\.?\//, '').split('*');
    return sitePath.startsWith(start) && isOfType(sitePath, scope['type']) ? [each['values']] : [];
  });
  return given.reduce(withFields, {});
}

/** Whether a file is in the collection of this name. The posts and drafts of Jekyll are collections as well. */
function isOfType(path: string, type: unknown): boolean {
  if (typeof type !== 'string' || type === '') return true;
  const folders = path.split('/').filter((folder) => folder.startsWith('_'));
  if (type === 'pages') return folders.length === 0;
  return folders.includes(`_${type}`) || (type === 'posts' && folders.includes('_drafts'));
}
