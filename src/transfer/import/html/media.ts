import { escapeHtml } from '../../../platform/text/escape-html.js';

// HTML for what the editors of other programs know as cards, blocks or shortcodes. The cleaner decides what
// of it stays.

/** A picture with its caption, which is HTML. */
export function figureOf(
  picture: { readonly src: string; readonly alt?: string; readonly href?: string },
  caption = '',
): string {
  const image = `<img src="${escapeHtml(picture.src)}" alt="${escapeHtml(picture.alt ?? '')}">`;
  const linked = picture.href ? `<a href="${escapeHtml(picture.href)}">${image}</a>` : image;
  return `<figure>${linked}${captionOf(caption)}</figure>`;
}

export function audioOf(src: string, caption = ''): string {
  return mediumOf('audio', { src }, caption);
}

export function videoOf(src: string, caption = '', poster = ''): string {
  return mediumOf('video', { src, poster }, caption);
}

/** A page, such as of a video, that is shown within the article if its host may be, and else is a link. */
export function embedOf(url: string, caption = ''): string {
  const frame = `<iframe src="${escapeHtml(playerUrl(url) ?? url)}" data-page="${escapeHtml(url)}"></iframe>`;
  return caption === '' ? `<p>${frame}</p>` : `<figure>${frame}${captionOf(caption)}</figure>`;
}

/** A link with what is said about its page, as bookmarks and files have it. */
export function bookmarkOf(url: string, title: string, description = ''): string {
  const about = description === '' ? '' : `<br>${escapeHtml(description)}`;
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(title || url)}</a>${about}</p>`;
}

export function detailsOf(heading: string, content: string): string {
  return `<details><summary>${heading}</summary>${content}</details>`;
}

function mediumOf(
  tag: 'audio' | 'video',
  { src, poster = '' }: { readonly src: string; readonly poster?: string },
  caption: string,
): string {
  const secure = src.replace(/^http:/i, 'https:');
  const posterAttribute = poster === '' ? '' : ` poster="${escapeHtml(poster)}"`;
  return `<figure><${tag} controls src="${escapeHtml(secure)}"${posterAttribute}></${tag}>${captionOf(caption)}</figure>`;
}

function captionOf(caption: string): string {
  return caption === '' ? '' : `<figcaption>${caption}</figcaption>`;
}

/** The addresses of the pages of videos and recordings, and of the players that show them in other pages. */
const PLAYERS: readonly (readonly [page: RegExp, player: string])[] = [
  [
    /^https?:\/\/(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|live\/|embed\/|v\/)([\w-]{6,20})/i,
    'https://www.youtube-nocookie.com/embed/',
  ],
  [/^https?:\/\/youtu\.be\/([\w-]{6,20})/i, 'https://www.youtube-nocookie.com/embed/'],
  [
    /^https?:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/|channels\/[\w-]+\/)?(\d{4,12})/i,
    'https://player.vimeo.com/video/',
  ],
  [
    /^https?:\/\/(?:www\.)?dailymotion\.com\/(?:embed\/)?video\/(\w{4,20})/i,
    'https://www.dailymotion.com/embed/video/',
  ],
  [/^https?:\/\/dai\.ly\/(\w{4,20})/i, 'https://www.dailymotion.com/embed/video/'],
  [
    /^https?:\/\/open\.spotify\.com\/((?:track|album|playlist|episode|show)\/\w{10,30})/i,
    'https://open.spotify.com/embed/',
  ],
  [
    /^https?:\/\/(?:www\.|embed\.)?ted\.com\/talks\/([\w-]{3,100})/i,
    'https://embed.ted.com/talks/',
  ],
  [/^https?:\/\/(?:www\.)?loom\.com\/(?:share|embed)\/(\w{10,40})/i, 'https://www.loom.com/embed/'],
];

/** The URL of the player for the page of a video; null for another page. */
export function playerUrl(page: string): string | null {
  for (const [pattern, player] of PLAYERS) {
    const id = pattern.exec(page)?.[1];
    if (id !== undefined) return player + id;
  }
  return null;
}
