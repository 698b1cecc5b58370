import { escapeHtml } from '../../../../platform/text/escape-html.ts';
import {
  calloutStart,
  CALLOUT_END,
  CALLOUTS,
  detailsStart,
  figureOf,
  linkTo,
} from '../tags/elements.ts';
import { TAGS } from '../tags/tag-table.ts';

/** The HTML of the beginning and the end of a component. */
export interface ComponentHtml {
  readonly start: string;
  readonly end: string;
  /** Whether its content is blocks. */
  readonly isBlock: boolean;
}

type Values = Readonly<Record<string, string>>;
type Reader = (values: Values, name: string) => ComponentHtml | null;

const picture: Reader = ({ src = '', alt, caption, title, width, height }) =>
  src === ''
    ? null
    : {
        start: figureOf({ src, alt, caption: escapeHtml(caption ?? title ?? ''), width, height }),
        end: '',
        isBlock: false,
      };

const link: Reader = ({ href, to, url }) => {
  const address = href ?? to ?? url;
  if (address === undefined) return null;
  return { start: `<a href="${escapeHtml(address)}">`, end: '</a>', isBlock: false };
};

const callout: Reader = ({ type, kind, variant, title, emoji }, name) => ({
  start: calloutStart(
    [type, kind, variant, name].find((each) => CALLOUTS.has(each ?? '')) ?? 'note',
    title ?? emoji,
  ),
  end: CALLOUT_END,
  isBlock: true,
});

const details: Reader = ({ title, summary, header, label, question }) => ({
  start: detailsStart(title ?? summary ?? header ?? label ?? question ?? ''),
  end: '</details>',
  isBlock: true,
});

const quote: Reader = ({ text, author }) => ({
  start: `<blockquote>${text === undefined ? '' : `<p>${escapeHtml(text)}</p>`}`,
  end: `${author === undefined ? '' : `<p><cite>${escapeHtml(author)}</cite></p>`}</blockquote>`,
  isBlock: true,
});

const titled: Reader = ({ title, label, name, value, href, description = '' }) => {
  const shown = label ?? title ?? name ?? value ?? href ?? '';
  const text = href === undefined ? escapeHtml(shown) : linkTo(href, shown);
  const start = shown === '' ? '' : `<p><strong>${text}</strong></p>`;
  const more = description === '' ? '' : `<p>${escapeHtml(description)}</p>`;
  return { start: start + more, end: '', isBlock: true };
};

/** The readers of components, each with its names in lower case. */
const READERS: readonly (readonly [Reader, string])[] = [
  [picture, 'image img nextimage staticimage picture figure zoomimage'],
  [link, 'link a navlink externallink linkbutton button'],
  [details, 'details accordion accordionitem collapse collapsible expandable spoiler disclosure'],
  [titled, 'tab tabitem step card linkcard codegroup'],
  [callout, `aside banner ${[...CALLOUTS].join(' ')}`],
  [quote, 'quote'],
];

// A map, unlike an object, has no names of its own, such as `constructor`.
const READER_BY_NAME: ReadonlyMap<string, Reader> = new Map(
  READERS.flatMap(([reader, names]) => names.split(' ').map((name) => [name, reader] as const)),
);

/**
 * What a component is in HTML, known by its usual name; null for a component that only its site knows.
 *
 * @param values the attributes that are texts, by their names in lower case
 */
export function componentHtml(component: string, values: Values): ComponentHtml | null {
  const name = component.toLowerCase().replace(/^.*\./, '');
  const known = READER_BY_NAME.get(name)?.(values, name);
  if (known) return known;
  const tag = TAGS.get(name) ?? TAGS.get(name.replace(/^lite|embed$|video$|card$/g, ''));
  const output = tag?.({ positional: [], named: values, source: '' });
  return output && 'html' in output ? { start: output.html, end: '', isBlock: true } : null;
}
