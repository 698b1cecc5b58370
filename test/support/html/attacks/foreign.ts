import type { Attacks } from '../attack-classes.js';
import { HARMFUL, IMAGE, product } from './product.js';

const SVG_ANIMATIONS = ['animate', 'animateColor', 'animateMotion', 'animateTransform', 'set'];
const ANIMATED_ATTRIBUTES = ['href', 'xlink:href', 'HREF', 'onload', 'src', 'style'];
const ANIMATION_ATTRIBUTES = ['values', 'to', 'from', 'by', 'begin', 'onbegin'];

const SVG = [
  '<svg/onload=alert(1)>',
  '<svg onload=alert(1)//',
  '<svg><script>alert(1)</script></svg>',
  '<svg><script>alert&#40;1&#41;</script></svg>',
  '<svg><script href="data:,alert(1)"/></svg>',
  '<svg><script xlink:href=data&colon;,alert(1)></script',
  '<svg><style>*{background:url(javascript:alert(1))}</style></svg>',
  '<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text y=9>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"/></svg>',
  '<svg><use xlink:href="//x.example/a.svg#x"/></svg>',
  '<svg><image href="x" onerror="alert(1)"/></svg>',
  '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>',
  '<svg><foreignObject><iframe srcdoc="x"></iframe></foreignObject></svg>',
  '<svg><handler type="text/javascript" ev:event="load">alert(1)</handler></svg>',
  '<svg><listener event="load" handler="#x"/></svg>',
  '<svg><filter><feImage href="//x.example"/></filter></svg>',
  '<svg><discard onbegin="alert(1)"/></svg>',
  '<svg><desc><img src=x onerror=alert(1)></desc></svg>',
  '<svg><title><img src=x onerror=alert(1)></title></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><a xlink:href="javascript:x">y</a></svg>',
  '<svg:svg onload=alert(1)></svg:svg>',
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '<p xmlns="http://www.w3.org/2000/svg" onload=alert(1)>x</p>',
  '<svg><svg><p><img src=x onerror=alert(1)>',
  '<svg></svg><img src=x onerror=alert(1)></svg>',
];

const MATHML = [
  '<math href="javascript:alert(1)">x</math>',
  '<math xlink:href="javascript:alert(1)"><mi>x</mi></math>',
  '<math><maction actiontype="statusline#javascript:alert(1)">x</maction></math>',
  '<math><maction actiontype="statusline" xlink:href="javascript:alert(1)">x<mtext>y</mtext></maction></math>',
  '<math><mi onclick=alert(1)>x</mi></math>',
  '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<math><annotation-xml><svg><script>alert(1)</script></svg></annotation-xml></math>',
  '<math><semantics><mi>x</mi><annotation-xml encoding=text/html><script>alert(1)</script></annotation-xml></semantics></math>',
  '<math><mglyph src="javascript:alert(1)"/></math>',
  '<math><mspace style="x:expression(alert(1))"/></math>',
  '<math><p><img src=x onerror=alert(1)>',
  '<math><malignmark><script>alert(1)</script>',
];

const CONTEXTS = [
  '*',
  '<p>*</p>',
  '<table>*',
  '<ul><li>*</li></ul>',
  '<a href="/a">*</a>',
  '<b>*',
  '<pre>*',
];
const inContexts = (markup: readonly string[]) =>
  product(CONTEXTS, markup).map(([context, text]) => context.replace('*', () => text));

/** Markup that parsers split, move or repair, so that the serialised tree may differ from it. */
const PARSER_MUTATIONS = [
  '<svg></p><style><a id="</style>*">',
  '<math></p><style><!--</style>*-->',
  '<math></br><style><a id="</style>*">',
  '<form><math><mtext></form><form><mglyph><style></math>*',
  '<form><math><mtext><table><mglyph><style>*',
  '<form></form><form><form>*',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">*',
  '<math><mtext><h1><a><h6></a></h6><mglyph><svg><mtext><style><a title="</style>*"></style></h1>',
  '<h1><h2><h1><svg><style><a title="</style>*">',
  '<a><table><a>*</table></a>',
  '<a href="/a"><table><tr><a href="/b">*',
  '<b><b><b><b><p></b>x<table><b>y*',
  '<table><tr><b><a href="/a"><td><a>*',
  '<p><table><p>*</table></p>',
  '<li><table><li>*</table>',
  '<dt><table><p><dd>*',
  '<pre><table><caption>\n</caption></table>\n*</pre>',
  '<pre>\n\n*</pre>',
  '<h1><table><h2>*</table></h1>',
  '<details><summary><table><summary>*',
  '<b><a href="/x"><i><p></b></a>*</i>',
  '<p><b><ul><li>*</b></ul></p>',
  '<table><td><table><td>*</table></td></table>',
  '<table><caption><table><caption>*',
  '<noscript><p title="</noscript>*"></noscript>',
  '<noscript><style></noscript>*</style>',
  '<img src=x title="`*`">',
  '<img alt="``*" src="/a">',
  '<p title="&lt;/p&gt;*">x</p>',
  '<nobr><nobr><table><nobr>*',
  '<button><p><button>*</button></p></button>',
  '<ruby><rb><rt><rp>*</ruby>',
  '<body><body><frameset><frame>*',
  '<html><head><title></title></html>*',
  "javascript:/*--></title></style></textarea></script></xmp><svg/onload='+/\"/+/onmouseover=1/+/[*/[]/+alert(1)//'>",
  '"><*',
  "'>*<'",
  '</p></br></li></td></table></body></html>*',
  '-->*<!--',
  ']]>*<![CDATA[',
];

const DEPTHS = ['100', '254', '255', '256', '511', '512', '513', '700'];
const NESTED = [
  '<b>',
  '<div>',
  '<p>',
  '<a href="/a">',
  '<li>',
  '<table>',
  '<table><td>',
  '<form>',
  '<svg>',
  '<math><mtext>',
  '<svg><foreignObject>',
  '<template>',
  '<x-y>',
  '<ul><li>',
  '<span><b>',
  '<font>',
];

export const FOREIGN_ATTACKS: Attacks = {
  svg: [
    ...inContexts(SVG),
    ...product(SVG_ANIMATIONS, ANIMATED_ATTRIBUTES, ANIMATION_ATTRIBUTES).map(
      ([animation, attribute, by]) =>
        `<svg><a><${animation} attributeName=${attribute} ${by}="javascript:alert(1)"/><text>x</text></a></svg>`,
    ),
  ],
  mathml: inContexts(MATHML),
  'parser mutation': product(PARSER_MUTATIONS, HARMFUL).map(([context, markup]) =>
    context.replace('*', () => markup),
  ),
  'deep nesting': [
    ...product(NESTED, DEPTHS).map(([tag, depth]) => `${tag.repeat(Number(depth))}${IMAGE}`),
    ...DEPTHS.map(
      (depth) => `${'<div>'.repeat(Number(depth))}<math><style><a id="</style>${IMAGE}">`,
    ),
  ],
};
