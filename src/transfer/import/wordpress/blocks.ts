import { escapeHtml } from '../../../platform/text/escape-html.js';
import { audioOf, embedOf, figureOf, playerUrl, videoOf } from '../html/media.js';
import type { Attachment, WordpressContext } from './wordpress-context.js';

/** Greatest depth of reusable blocks within each other. */
const DEPTH_MAX = 5;
/** Largest text that reusable blocks may make, in characters; no article may be longer. */
const LENGTH_MAX = 1_000_000;

/** Matches a reusable block. */
const REUSED = /<!--\s*wp:block\s+(\{[^{}]{0,500}\})\s*\/-->/g;
/** Matches a gallery that holds ids only, as a block without pictures in it. */
const ID_GALLERY = /<!--\s*wp:gallery\s+(\{[^<>]{0,4000}\})\s*\/-->/g;
const FOOTNOTES = /<!--\s*wp:footnotes\b[^<>]{0,500}\/-->/;
/** Matches comments by which the block editor marks its blocks, whose texts are paragraphs already. */
const BLOCK_MARK = /<!--\s*\/?wp:[^<>]{0,50000}-->\s?/g;

export interface ConvertedBlocks {
  readonly html: string;
  readonly notes: readonly string[];
}

/** Replaces the reusable blocks, the galleries of ids and the footnotes of the block editor by their contents. */
export function convertedBlocks(content: string, context: WordpressContext): ConvertedBlocks {
  const notes: string[] = [];
  const expanded = withReusedBlocks(content, context, notes);
  const withGalleries = expanded.replace(ID_GALLERY, (_, json: string) => {
    const { ids } = Object(parsed(json)) as { readonly ids?: unknown };
    return galleryOf(Array.isArray(ids) ? ids.map(String) : [], context, notes);
  });
  return { html: withFootnotes(withGalleries, context), notes };
}

export function withoutBlockMarks(html: string): string {
  return html.replace(BLOCK_MARK, '');
}

/** The pictures of the media library with these ids. */
export function galleryOf(
  ids: readonly string[],
  { attachments }: WordpressContext,
  notes: string[],
): string {
  const found = ids.flatMap((id) => attachments.get(id.trim()) ?? []);
  const missing = ids.length - found.length;
  if (missing > 0) notes.push(`text: ${missing} of a gallery not in the file: left out`);
  return picturesOf(found);
}

export function picturesOf(pictures: readonly Attachment[]): string {
  return pictures.map(({ url, alt, caption }) => figureOf({ src: url, alt }, caption)).join('\n');
}

/** Shows what a URL stands for that is alone on its line: a recording, a video, or else a link. */
export function shownUrl(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  if (/\.(?:mp3|m4a|ogg|oga|wav|flac|aac)$/i.test(path)) return audioOf(url);
  if (/\.(?:mp4|m4v|webm|ogv|mov)$/i.test(path)) return videoOf(url);
  if (playerUrl(url) !== null || /\/(?:embed|player)\b/i.test(path)) return embedOf(url);
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`;
}

function withReusedBlocks(content: string, { blocks }: WordpressContext, notes: string[]): string {
  let html = content;
  for (let depth = 0; depth < DEPTH_MAX && html.search(REUSED) >= 0; depth += 1) {
    let length = html.length;
    html = html.replace(REUSED, (_, json: string) => {
      const { ref } = Object(parsed(json)) as { readonly ref?: unknown };
      const block = blocks.get(typeof ref === 'number' ? String(ref) : '');
      if (block === undefined) notes.push('text: a reusable block is not in the file: left out');
      length += block?.length ?? 0;
      if (length > LENGTH_MAX) return '';
      return block ?? '';
    });
  }
  return html;
}

/** The footnotes are in a field of the article; the text has their numbers, and the place where they stand. */
function withFootnotes(html: string, { meta }: WordpressContext): string {
  const footnotes = parsed(meta['footnotes']?.[0] ?? '');
  if (!Array.isArray(footnotes) || footnotes.length === 0) return html;
  const items = footnotes.map((footnote: unknown) => {
    const { id = '', content = '' } = Object(footnote) as Record<string, unknown>;
    const target = escapeHtml(String(id));
    return `<li id="${target}">${String(content)} <a href="#${target}-link">↩</a></li>`;
  });
  const list = `<ol>${items.join('')}</ol>`;
  return FOOTNOTES.test(html) ? html.replace(FOOTNOTES, () => list) : `${html}\n${list}`;
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}
