/** Examples of answers for the description of the API. */

export const RSS_EXAMPLE =
  '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>blog.example</title>' +
  '<link>https://blog.example/</link><description>blog.example</description></channel></rss>\n';

export const ATOM_EXAMPLE =
  '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">' +
  '<id>https://blog.example/feeds/atom.xml</id><title>blog.example</title>' +
  '<updated>2026-01-31T08:15:30.123Z</updated></feed>\n';

export const JSON_FEED_EXAMPLE =
  '{"version":"https://jsonfeed.org/version/1.1","title":"blog.example","items":[]}';

export const SITEMAP_EXAMPLE =
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>' +
  '<loc>https://blog.example/sitemap.xml?after=eyJ2IjoxfQ</loc></sitemap></sitemapindex>';
