import { escaped } from './dom.js';

// HTML for what the editors of other programs know as cards, blocks or shortcodes. The cleaner decides what
// of it stays.

/** A picture with its caption, which is HTML. */
export function figureOf(
  picture: { readonly src: string; readonly alt?: string; readonly href?: string },
  caption = '',
): string {
  const image = `<img src="${escaped(picture.src)}" alt="${escaped(picture.alt ?? '')}">`;
  const linked = picture.href ? `<a href="${escaped(picture.href)}">${image}</a>` : image;
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
  const frame = `<iframe src="${escaped(playerUrl(url) ?? url)}" data-page="${escaped(url)}"></iframe>`;
  return caption === '' ? `<p>${frame}</p>` : `<figure>${frame}${captionOf(caption)}</figure>`;
}

/** A link with what is said about its page, as bookmarks and files have it. */
export function bookmarkOf(url: string, title: string, description = ''): string {
  const about = description === '' ? '' : `<br>${escaped(description)}`;
  return `<p><a href="${escaped(url)}">${escaped(title || url)}</a>${about}</p>`;
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
  const posterAttribute = poster === '' ? '' : ` poster="${escaped(poster)}"`;
  return `<figure><${tag} controls src="${escaped(secure)}"${posterAttribute}></${tag}>${captionOf(caption)}</figure>`;
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
