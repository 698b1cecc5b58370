import { readFileSync } from 'node:fs';
import { UserError } from './user-error.mjs';

/** One is edited while live, one unpublished, one deleted. */
const MIN_ARTICLES = 3;

/**
 * Reads articles, one JSON object a line: `title`, `description`, `slug`, `tags`, `html`; further
 * fields (`author`, `date`) are left alone.
 *
 * @throws UserError naming the line
 */
export function readArticles(file) {
  const lines = readText(file)
    .split('\n')
    .map((line, index) => ({ line, at: `${file}:${index + 1}` }))
    .filter(({ line }) => line.trim() !== '');
  if (lines.length < MIN_ARTICLES) {
    throw new UserError(`${file} has ${lines.length} articles; the journey needs ${MIN_ARTICLES}`);
  }
  return lines.map(({ line, at }) => parseArticle(line, at));
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${error.message}`);
  }
}

function parseArticle(line, at) {
  let article;
  try {
    article = JSON.parse(line);
  } catch (error) {
    throw new UserError(`${at}: ${error.message}`);
  }
  const { title, description, slug, tags, html } = article ?? {};
  for (const [name, value] of Object.entries({ title, description, slug, html })) {
    if (typeof value !== 'string') throw new UserError(`${at}: ${name} must be text`);
  }
  if (!Array.isArray(tags)) throw new UserError(`${at}: tags must be a list`);
  return { title, description, slug, tags, html };
}

/** The tags as the server keeps them: trimmed, the first of those that differ in case only. */
export function keptTags(tags) {
  const seen = new Map();
  for (const tag of tags) {
    const key = tagKey(tag);
    if (!seen.has(key)) seen.set(key, tag.trim());
  }
  return [...seen.values()];
}

/** Tags are matched without regard to case. */
export function tagKey(tag) {
  return tag.trim().normalize('NFKC').toLowerCase();
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * The letters and digits of an article in order, without markup: what cleaning must not lose.
 * Elements that are dropped with their content count as nothing.
 */
export function lettersOf(html) {
  return html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(
      /<(script|style|iframe|object|video|audio|svg|math|template|noscript|textarea|select|button)\b[\s\S]*?<\/\1\s*>/gi,
      '',
    )
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
      if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal) return String.fromCodePoint(Number(decimal));
      return ENTITIES[name.toLowerCase()] ?? whole;
    })
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
