import { EXAMPLE_ID } from '../platform/http/openapi/properties.js';

/** OpenAPI schemas of the feeds and of the sitemap, each with an example. */

const TITLE = { type: 'string', example: 'Notes on the Analytical Engine' } as const;
const TIME = { type: 'string', format: 'date-time', example: '2026-01-31T08:15:30.123Z' } as const;
const url = (path: string) =>
  ({ type: 'string', format: 'uri', example: `https://blog.example${path}` }) as const;
/** The schema of an object that has no other properties. */
const object = (required: readonly string[], properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

export const RSS_SCHEMA = {
  type: 'string',
  example:
    '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>blog.example</title>' +
    '<link>https://blog.example/</link><description>blog.example</description></channel></rss>\n',
};

export const ATOM_SCHEMA = {
  type: 'string',
  example:
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">' +
    '<id>https://blog.example/feeds/atom.xml</id><title>blog.example</title>' +
    '<updated>2026-01-31T08:15:30.123Z</updated></feed>\n',
};

/** The members of JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/) that the feed has. */
export const JSON_FEED_SCHEMA = object(['version', 'title', 'home_page_url', 'feed_url', 'items'], {
  version: {
    type: 'string',
    pattern: '^https://jsonfeed\\.org/version/1\\.1$',
    example: 'https://jsonfeed.org/version/1.1',
  },
  title: { type: 'string', example: 'blog.example' },
  home_page_url: url('/'),
  feed_url: url('/feeds/feed.json'),
  description: { type: 'string', example: 'About engines' },
  language: { type: 'string', example: 'en' },
  items: {
    type: 'array',
    maxItems: 30,
    items: object(['id', 'url', 'title', 'summary', 'date_published', 'date_modified', 'authors'], {
      id: { type: 'string', example: `tag:blog.example,2026-01-31:blog/${EXAMPLE_ID}` },
      url: url('/notes-on-the-analytical-engine'),
      title: TITLE,
      summary: { type: 'string', example: 'What the engine can do, and what it cannot.' },
      content_html: { type: 'string', example: '<p>It weaves algebraic patterns.</p>' },
      content_text: {
        type: 'string',
        description: 'Instead of content_html, with FEED_TEXT=description',
        example: 'What the engine can do, and what it cannot.',
      },
      image: url('/engine.png'),
      date_published: TIME,
      date_modified: TIME,
      tags: { type: 'array', items: { type: 'string', example: 'computing' } },
      authors: {
        type: 'array',
        items: object(['name'], { name: { type: 'string', example: 'Ada Lovelace' } }),
      },
    }),
  },
});

export const SITEMAP_SCHEMA = {
  type: 'string',
  example:
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>' +
    '<loc>https://blog.example/sitemap.xml?start=eyJ2IjoxfQ</loc></sitemap></sitemapindex>',
};
