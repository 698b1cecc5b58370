import type { Attacks } from '../attack-classes.js';
import { HARMFUL, IMAGE, PLACES, product, put } from './product.js';

const ATTRIBUTES_TO_ANIMATE = ['href', 'xlink:href', 'HREF', 'onload', 'style'];
const SCRIPTED_ATTRIBUTES = ['values', 'to', 'from', 'by', 'begin', 'onbegin'];

const SVG = [
  '<svg/onload=alert(1)>',
  '<svg><script>alert&#40;1&#41;</script></svg>',
  '<svg><script xlink:href=data&colon;,alert(1)></script',
  '<svg><a xlink:href="javascript:alert(1)"><text y=9>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"/></svg>',
  '<svg><foreignObject><iframe srcdoc="x"></iframe></foreignObject></svg>',
  '<svg><handler type="text/javascript" ev:event="load">alert(1)</handler></svg>',
  '<svg><title><img src=x onerror=alert(1)></title></svg>',
  '<svg:svg onload=alert(1)></svg:svg>',
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '<svg><svg><p><img src=x onerror=alert(1)>',
  '<svg></svg><img src=x onerror=alert(1)></svg>',
];

const MATHML = [
  '<math xlink:href="javascript:alert(1)"><mi>x</mi></math>',
  '<math><maction actiontype="statusline#javascript:alert(1)">x</maction></math>',
  '<math><mi onclick=alert(1)>x</mi></math>',
  '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<math><annotation-xml><svg><script>alert(1)</script></svg></annotation-xml></math>',
  '<math><mglyph src="javascript:alert(1)"/></math>',
  '<math><malignmark><script>alert(1)</script>',
];

/** Markup that parsers split, move or repair, so that the serialised tree may differ from it. */
const PARSER_MUTATIONS = [
  '<math></p><style><!--</style>*-->',
  '<math></br><style><a id="</style>*">',
  '<form><math><mtext></form><form><mglyph><style></math>*',
  '<form><math><mtext><table><mglyph><style>*',
  '<math><mtext><h1><a><h6></a></h6><mglyph><svg><mtext><style><a title="</style>*"></style></h1>',
  '<h1><h2><h1><svg><style><a title="</style>*">',
  '<a href="/a"><table><tr><a href="/b">*',
  '<b><b><b><b><p></b>x<table><b>y*',
  '<table><tr><b><a href="/a"><td><a>*',
  '<li><table><li>*</table>',
  '<dt><table><p><dd>*',
  '<pre><table><caption>\n</caption></table>\n*</pre>',
  '<pre>\n\n*</pre>',
  '<details><summary><table><summary>*',
  '<b><a href="/x"><i><p></b></a>*</i>',
  '<p><b><ul><li>*</b></ul></p>',
  '<table><td><table><td>*</table></td></table>',
  '<noscript><p title="</noscript>*"></noscript>',
  '<img alt="``*" src="/a">',
  '<p title="&lt;/p&gt;*">x</p>',
  '<nobr><nobr><table><nobr>*',
  '<ruby><rb><rt><rp>*</ruby>',
  '<body><body><frameset><frame>*',
  '</p></br></li></td></table></body></html>*',
];

const POLYGLOT =
  "javascript:/*--></title></style></textarea></script></xmp><svg/onload='+/\"/+/onmouseover=1/+/[*/[]/+alert(1)//'>";

const DEPTHS = [100, 255, 256, 511, 512, 513, 700];
const TAGS_TO_NEST = (
  '<b>|<p>|<a href="/a">|<li>|<table>|<table><td>|<form>|<svg>|<x-y>|<math><mtext>|' +
  '<svg><foreignObject>|<template>|<ul><li>|<span><b>|<font>'
).split('|');

export const FOREIGN_ATTACKS: Attacks = {
  svg: [
    ...put(PLACES, SVG),
    ...product(['animate', 'set'], ATTRIBUTES_TO_ANIMATE, SCRIPTED_ATTRIBUTES).map(
      ([animation, attribute, scripted]) =>
        `<svg><a><${animation} attributeName=${attribute} ${scripted}="javascript:alert(1)"/><text>x</text></a></svg>`,
    ),
  ],
  mathml: put(PLACES, MATHML),
  'parser mutation': [...put(PARSER_MUTATIONS, HARMFUL), POLYGLOT],
  'deep nesting': DEPTHS.flatMap((depth) => [
    ...TAGS_TO_NEST.map((tag) => `${tag.repeat(depth)}${IMAGE}`),
    `${'<div>'.repeat(depth)}<math><style><a id="</style>${IMAGE}">`,
  ]),
};
