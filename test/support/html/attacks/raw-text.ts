import type { Attacks } from '../attack-classes.js';
import { HARMFUL, IMAGE, product } from './product.js';

/** Elements in which parsers read text by other rules, some only in some browsers. */
const RAW_TEXT = [
  'textarea',
  'title',
  'xmp',
  'plaintext',
  'noembed',
  'noframes',
  'noscript',
  'iframe',
  'style',
  'script',
  'listing',
  'template',
  'svg',
];

/** Ways to end such an element that parsers disagreed about; `*` stands for its name. */
const END_TAGS = [
  '</*>',
  '</*/>',
  '</* x>',
  '</*\t>',
  '</*\f>',
  '</*\n/>',
  '</* x="',
  '</*',
  '</ *>',
  '</*x>',
  '<\\/*>',
  '<!--</*>',
  '--></*>',
  ']]></*>',
  '<*></*>',
  '</*\0>',
  '&lt;/*&gt;',
  '</*x="></*>',
];

/** Contexts of such an element: none, or one in which parsers read it by different rules. */
const CONTEXTS = [
  '*',
  '<svg>*',
  '<math>*',
  '<svg><foreignObject>*',
  '<svg><desc>*',
  '<svg><title>*',
  '<math><mtext>*',
  '<math><annotation-xml encoding="text/html">*',
  '<select>*',
  '<table>*',
  '<p title="*">x</p>',
  '<noscript>*</noscript>',
  '<template>*</template>',
  '<!--*-->',
];

const FOREIGN_CONTEXTS = [
  '<svg>',
  '<svg><foreignObject>',
  '<svg><desc>',
  '<svg><title>',
  '<math>',
  '<math><mi>',
  '<math><mo>',
  '<math><mn>',
  '<math><ms>',
  '<math><mtext>',
  '<math><annotation-xml>',
  '<math><annotation-xml encoding="text/html">',
  '<math><annotation-xml encoding="application/xhtml+xml">',
  '<math><mtext><svg>',
  '<svg><foreignObject><math>',
  '<math><annotation-xml><svg>',
  '<svg><math>',
];

const RAW_TEXT_IN_FOREIGN = [
  '<style><a title="</style>*">',
  '<style><!--</style>*-->',
  '<title><a title="</title>*">',
  '<textarea><p title="</textarea>*">',
  '<xmp><p title="</xmp>*">',
  '<noscript><p title="</noscript>*">',
  '<noembed><p title="</noembed>*">',
  '<iframe><p title="</iframe>*">',
  '<script><!--<script></script>*</script>',
  '<![CDATA[<a title="]]>*">]]>',
  '<!--<p title="-->*">',
  '<p><style><a id="</style>*">',
  '</p><style><a id="</style>*">',
  '</br><title><a id="</title>*">',
  '<mglyph><style><!--</style><img title="--&gt;*">',
  '<table><mglyph><style><a id="</style>*">',
];

export const RAW_TEXT_ATTACKS: Attacks = {
  'raw text': [
    ...product(RAW_TEXT, END_TAGS, CONTEXTS).map(([name, end, around]) =>
      around.replace('*', () => `<${name}>x${end.replaceAll('*', name)}${IMAGE}`),
    ),
    ...product(RAW_TEXT, HARMFUL, [
      '<*>x</*>',
      '<*><p title="x</*>y">',
      '</*>x',
      '<*/>x',
      '<p title="</*>x">y</p>',
      '<img alt="</*>x" src="/a">',
      '<a title="<*>x</*>" href="/a">y</a>',
      '&lt;*&gt;x&lt;/*&gt;',
    ]).map(([name, markup, context]) => context.replaceAll('*', name).replace('x', () => markup)),
  ],
  'namespace confusion': product(FOREIGN_CONTEXTS, RAW_TEXT_IN_FOREIGN, [
    IMAGE,
    '<a href=javascript:x>y</a>',
  ]).map(([root, within, markup]) => `${root}${within.replace('*', () => markup)}`),
};
