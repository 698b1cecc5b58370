import { mediaUrl, pixels } from './attribute-rules.ts';

/** The hosts whose pages an `iframe` may show, as EMBED_HOSTS lists them. */
export type EmbedHosts = readonly string[];

/** The tag name that an allowed `iframe` gets while the text is cleaned. An `iframe` that keeps its name is removed. */
export const EMBED = 'IFRAME';

export const EMBED_ATTRIBUTES = [
  'src',
  'sandbox',
  'loading',
  'width',
  'height',
  'title',
  'allowfullscreen',
];

/**
 * The rights that video players need: scripts, the cookies of their own host, a second screen, and
 * links that open a window. A frame cannot navigate the page or open dialogs, and the same
 * restrictions apply to the windows that it opens.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-presentation allow-popups';

type Attributes = Readonly<Record<string, string>>;

/** @returns the attributes of an allowed `iframe`; null for one that is removed */
export function embedOf(given: Attributes, hosts: EmbedHosts): Record<string, string> | null {
  const src = embedUrl(given['src'] ?? '', hosts);
  if (src === null) return null;
  const [width, height] = [pixels(given['width'] ?? ''), pixels(given['height'] ?? '')];
  return {
    src,
    sandbox: SANDBOX,
    loading: 'lazy',
    ...(width === '' ? {} : { width }),
    ...(height === '' ? {} : { height }),
    ...(given['title'] ? { title: given['title'] } : {}),
    ...('allowfullscreen' in given ? { allowfullscreen: 'allowfullscreen' } : {}),
  };
}

/**
 * @returns the URL as browsers write it, so that no two parsers read different hosts in it; null
 *   for a URL that is not allowed
 */
function embedUrl(value: string, hosts: EmbedHosts): string | null {
  const url = URL.parse(mediaUrl(value));
  const isAllowed =
    url !== null && url.username + url.password + url.port === '' && hosts.includes(url.hostname);
  return isAllowed ? url.href : null;
}
