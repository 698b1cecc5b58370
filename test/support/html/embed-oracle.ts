import type { DefaultTreeAdapterTypes as Tree } from 'parse5';

/** The settings of EMBED_HOSTS in tests of the cleaner. Many payloads name these hosts. */
export const HOST_SETTINGS = [
  { setting: 'without embeds', hosts: [] },
  { setting: 'with embeds', hosts: ['x.example', 'www.youtube.com'] },
] as const;

/** What every `iframe` must have. It is written here again, on purpose: tests must not take it from the cleaner. */
const FIXED: Readonly<Record<string, string>> = {
  sandbox: 'allow-scripts allow-same-origin allow-presentation allow-popups',
  loading: 'lazy',
};

const CHECKS: Readonly<Record<string, (value: string) => boolean>> = {
  width: (value) => /^\d+$/.test(value),
  height: (value) => /^\d+$/.test(value),
  title: () => true,
  allowfullscreen: (value) => value === 'allowfullscreen',
};

/** @returns the problems with an `iframe` of a cleaned text */
export function embedFindings(
  { attrs, childNodes }: Tree.Element,
  hosts: readonly string[],
): string[] {
  const { src = '', ...others } = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
  const found = Object.entries(others).filter(
    ([name, value]) => value !== FIXED[name] && !CHECKS[name]?.(value),
  );
  const url = URL.parse(src);
  // The text is checked in addition to the parsed URL, in case the URL parser is wrong.
  const isAllowed =
    hosts.some((host) => src.startsWith(`https://${host}/`)) && hosts.includes(url?.host ?? '');
  return [
    ...(isAllowed ? [] : [`an iframe of ${src}`]),
    ...found.map(([name, value]) => `<iframe ${name}=${JSON.stringify(value)}>`),
    ...Object.keys(FIXED)
      .filter((name) => !(name in others))
      .map((name) => `an iframe without ${name}`),
    ...(childNodes.length === 0 ? [] : ['an iframe with content']),
  ];
}
