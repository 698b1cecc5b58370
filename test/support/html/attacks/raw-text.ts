import type { Attacks } from '../attack-classes.js';
import { HARMFUL, IMAGE, product, put } from './product.js';

/** Elements whose text parsers read by special rules, in all browsers or in some. */
const RAW_TEXT_ELEMENTS =
  'textarea title xmp plaintext noembed noframes noscript iframe style script listing template svg video audio object'.split(
    ' ',
  );

/** End tags that parsers disagreed about; `#` stands for the name of the element. */
const END_TAGS = (
  '</#>|</#/>|</# x>|</#\t>|</#\f>|</# x="|</#|</ #>|</#x>|<\\/#>|<!--</#>|--></#>|]]></#>|' +
  '<#></#>|</#\0>|&lt;/#&gt;|</#x="></#>'
).split('|');

/** Contexts in which parsers may read a raw text element differently; `*` stands for the element. */
const CONTEXTS = [
  '*',
  '<svg>*',
  '<math>*',
  '<svg><foreignObject>*',
  '<math><annotation-xml encoding="text/html">*',
  '<select>*',
  '<table>*',
  '<p title="*">x</p>',
  '<template>*</template>',
  '<!--*-->',
];

/** `#` stands for the name of the element, `*` for harmful markup. */
const MARKUP_CONTEXTS = [
  '<#>*</#>',
  '<#><p title="*</#>y">',
  '</#>*',
  '<#/>*',
  '<#/>*</#>',
  '<#>x<#/>*',
  '<p><#>x</p>*',
  '<object><#>x</object>*',
  '<p title="</#>*">y</p>',
  '<a title="<#>*</#>" href="/a">y</a>',
  '&lt;#&gt;*&lt;/#&gt;',
];

const FOREIGN_CONTEXTS = [
  '<svg>',
  '<svg><foreignObject>',
  '<svg><title>',
  '<math>',
  '<math><mtext>',
  '<math><annotation-xml>',
  '<math><annotation-xml encoding="text/html">',
  '<svg><foreignObject><math>',
  '<svg><math>',
];

const RAW_TEXT_IN_FOREIGN = [
  '<style><a title="</style>*">',
  '<style><!--</style>*-->',
  '<title><a title="</title>*">',
  '<xmp><p title="</xmp>*">',
  '<iframe><p title="</iframe>*">',
  '<script><!--<script></script>*</script>',
  '<![CDATA[<a title="]]>*">]]>',
  '<!--<p title="-->*">',
  '</p><style><a id="</style>*">',
  '<mglyph><style><!--</style><img title="--&gt;*">',
  '<table><mglyph><style><a id="</style>*">',
];

const withName = (name: string, markup: readonly string[]) =>
  markup.map((text) => text.replaceAll('#', name));

export const RAW_TEXT_ATTACKS: Attacks = {
  'raw text': RAW_TEXT_ELEMENTS.flatMap((name) => [
    ...put(
      CONTEXTS,
      withName(name, END_TAGS).map((end) => `<${name}>x${end}${IMAGE}`),
    ),
    ...put(withName(name, MARKUP_CONTEXTS), HARMFUL),
  ]),
  'namespace confusion': product(
    FOREIGN_CONTEXTS,
    put(RAW_TEXT_IN_FOREIGN, [IMAGE, '<a href=javascript:x>y</a>']),
  ).map(([context, markup]) => context + markup),
};
