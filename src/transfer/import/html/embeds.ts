import { escapeHtml } from '../../../platform/text/escape-html.js';
import { attributeOf, findIn, parseHtml } from './dom.js';
import { playerUrl } from './media.js';

/** Matches an `iframe` with what it holds, of which browsers show nothing. */
const IFRAME = /<iframe\b[^<>]{0,4000}>(?:[^<]{0,1000}<\/iframe\s*>)?/gi;

/** Hosts of the same players: an embed may use any of them. */
const SAME_PLAYERS: readonly (readonly string[])[] = [
  ['www.youtube-nocookie.com', 'www.youtube.com', 'youtube.com', 'youtube-nocookie.com'],
];

export interface ConvertedEmbeds {
  readonly html: string;
  readonly notes: readonly string[];
}

/**
 * Makes links of the embeds that the cleaner would remove, so that readers still find what they showed.
 *
 * @param canEmbed whether the cleaner keeps an `iframe` with this URL
 */
export function linksForEmbeds(html: string, canEmbed: (src: string) => boolean): ConvertedEmbeds {
  const hosts = new Set<string>();
  const converted = html.replace(IFRAME, (tag) => {
    const frame = findIn(parseHtml(tag), 'iframe');
    const given = attributeOf(frame, 'src') || attributeOf(frame, 'data-src');
    const src = given.trim().replace(/^(?:http:)?\/\//i, 'https://');
    const url = URL.parse(src);
    if (url === null || !/^https?:$/.test(url.protocol)) return tag;
    const embeddable = [src, playerUrl(src) ?? src].flatMap(withOtherHosts).find(canEmbed);
    const title = attributeOf(frame, 'title').trim();
    if (embeddable !== undefined) {
      const size = ['width', 'height', 'title', 'allowfullscreen']
        .filter((name) => frame?.attrs.some((attribute) => attribute.name === name))
        .map((name) => ` ${name}="${escapeHtml(attributeOf(frame, name))}"`);
      return `<iframe src="${escapeHtml(embeddable)}"${size.join('')}></iframe>`;
    }
    hosts.add(url.hostname);
    const page = attributeOf(frame, 'data-page') || pageOf(src);
    return `<a href="${escapeHtml(page)}">${escapeHtml(title === '' ? page : title)}</a>`;
  });
  const notes = [...hosts].map(
    (host) => `what "${host}" shows is a link now: add the host to EMBED_HOSTS to embed it`,
  );
  return { html: converted, notes };
}

/** The address of the page of a video, from that of its player. */
function pageOf(src: string): string {
  const player = playerUrl(src) ?? '';
  const id = player.slice(player.lastIndexOf('/') + 1);
  if (player.includes('youtube')) return `https://www.youtube.com/watch?v=${id}`;
  return player.includes('vimeo') ? `https://vimeo.com/${id}` : src;
}

function withOtherHosts(src: string): string[] {
  const url = URL.parse(src);
  const hosts = SAME_PLAYERS.find((same) => same.includes(url?.hostname ?? '')) ?? [];
  return [src, ...hosts.map((host) => src.replace(/^https:\/\/[^/]+/i, `https://${host}`))];
}
