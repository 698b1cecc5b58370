/**
 * Names that an article cannot have while articles stand at the root of the site. The comments say who
 * asks for them there.
 */
const RESERVED: readonly RegExp[] = [
  // Pressroom: feeds and sitemaps
  /^(?:feeds|sitemap[\w.-]*\.(?:xml|txt))$/,
  // web servers: the page of a folder
  /^(?:index|default)\.(?:html?|php)$/,
  // crawlers: RFC 9309, RFC 8615 and conventions
  /^(?:robots|ads|app-ads|humans|security|llms)\.txt$/,
  // RFC 8615: well-known URIs
  /^\.well-known$/,
  // browsers: icons
  /^(?:favicon(?:-[\w-]+)?\.(?:ico|png|svg)|apple-touch-icon[\w-]*\.png|browserconfig\.xml)$/,
  // browsers: web applications
  /^(?:manifest\.json|(?:site|manifest|app)\.webmanifest|(?:sw|service-worker)\.js)$/,
  // browser plug-ins: cross-domain policies
  /^(?:crossdomain|clientaccesspolicy)\.xml$/,
  // search engines: proofs of who owns a site
  /^(?:google[\da-f]{8,}\.html|bingsiteauth\.xml|yandex_[\da-f]+\.html)$/,
];

/** The first part of a path. */
const FIRST_PART = /^\/([^/?]*)/;

/** Tells which slugs the site needs for itself. */
export type IsReserved = (slug: string) => boolean;

/** @param articlePath the setting SITE_ARTICLE_PATH; articles stand at the root if its first part has the slug */
export function reservedSlugs(articlePath: string): IsReserved {
  const [, part = ''] = FIRST_PART.exec(articlePath) ?? [];
  if (!part.includes('{slug}')) return () => false;
  return (slug) => isRootName(part.replaceAll('{slug}', () => slug));
}

/** Whether browsers, search engines or others ask for a file of this name at the root of a site. */
export function isRootName(name: string): boolean {
  return RESERVED.some((names) => names.test(name));
}
