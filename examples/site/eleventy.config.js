export const keyOf = (tag) => tag.normalize('NFKC').toLowerCase();
const escaped = (character) => `_${character.codePointAt(0).toString(16)}`;
export const pathOf = (tag) => `/tags/${keyOf(tag).replace(/[^\p{L}\p{N}-]/gu, escaped)}/`;

export default function (config) {
  config.addFilter('day', (time) => new Date(time).toISOString().slice(0, 10));
  config.addFilter('pathOf', pathOf);
  config.addTemplate('feed.njk', '{{ pressroom.feed | safe }}', { permalink: '/feeds/rss.xml' });
}
