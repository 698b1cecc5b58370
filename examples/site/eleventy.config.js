export default function (config) {
  config.addFilter('day', (time) => new Date(time).toISOString().slice(0, 10));
  config.addFilter('tagged', (articles, tag) => {
    return articles.filter(({ tags }) => tags.some((each) => sameTag(each, tag)));
  });
  config.addFilter('by', (articles, id) => articles.filter(({ author }) => author._id === id));
  return { dir: { output: '_site' } };
}

const sameTag = (one, other) =>
  one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase();
