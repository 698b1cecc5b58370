import type { DefaultTreeAdapterTypes as Tree } from 'parse5';

/** The ids of all headings, the ids of other elements, and those to which links and `headers` refer. */
interface Anchors {
  readonly headings: readonly (string | undefined)[];
  readonly others: readonly string[];
  readonly fragments: ReadonlySet<string>;
}

function anchorsOf(elements: readonly Tree.Element[]): Anchors {
  const isHeading = ({ tagName }: Tree.Element) => /^h[1-6]$/.test(tagName);
  const valueOf = ({ attrs }: Tree.Element, name: string) =>
    attrs.find((attribute) => attribute.name === name)?.value;
  const idsOf = (some: readonly Tree.Element[]) => some.map((element) => valueOf(element, 'id'));
  return {
    headings: idsOf(elements.filter(isHeading)),
    others: idsOf(elements.filter((element) => !isHeading(element))).filter(
      (id) => id !== undefined,
    ),
    fragments: new Set([
      ...elements
        .map((element) => valueOf(element, 'href') ?? '')
        .filter((href) => href.startsWith('#'))
        .map((href) => href.slice(1)),
      ...elements.flatMap((element) => valueOf(element, 'headers')?.split(' ') ?? []),
    ]),
  };
}

/** @returns the problems with the ids in a cleaned text that consists of these nodes */
export function anchorFindings(nodes: readonly Tree.Node[]): string[] {
  const elements = nodes.filter((node): node is Tree.Element => 'tagName' in node);
  const { headings, others, fragments } = anchorsOf(elements);
  const ids = [...headings.filter((id) => id !== undefined), ...others];
  return [
    ...(headings.includes(undefined) ? ['a heading without an id'] : []),
    ...(new Set(ids).size === ids.length ? [] : [`an id twice: ${ids.join()}`]),
    ...others.filter((id) => !fragments.has(id)).map((id) => `no link leads to ${id}`),
    ...elements
      .filter(({ tagName, attrs }) => tagName === 'span' && attrs.length === 0)
      .map(() => 'a span without an attribute'),
  ];
}
