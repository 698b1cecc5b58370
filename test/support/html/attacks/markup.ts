import type { Attacks } from '../attack-classes.js';
import { HARMFUL, IMAGE, PLACES, put } from './product.js';
import { TAG_SPELLINGS } from './spellings.js';

const SCRIPTS = [
  '<SCRIPT SRC=//x.example/.j>',
  '<script type=module>import "https://x.example/a.js"</script>',
  '<script type="text/vbscript">msgbox 1</script>',
  '<script>document.write("<SCRI");</script>PT SRC="https://x.example/a.js"></SCRIPT>',
  '</script><script>alert(1)</script>',
  '<script>x="\\\\";alert(1);//";</script>',
  '<script>alert(1)//',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
];

const COMMENTS = [
  '<!--*-->',
  '<!-->*-->',
  '<!--->*-->',
  '<!--x--!>*-->',
  '<!--<!-->*-->',
  '<!--x*',
  '<!>*',
  '</!--*-->',
  '<!--[if gte IE 4]>*<![endif]-->',
  '<!--\0-->*',
  '<p title="<!--">*</p><p title="-->">',
  '<style><!--</style>*-->',
  '<!--<!--*',
  '<pre><!--x-->\n*</pre>',
];

const DECLARATIONS = [
  '<![CDATA[*]]>',
  '<svg><![CDATA[*]]></svg>',
  '<math><![CDATA[><]]>*</math>',
  '<svg><![CDATA[</svg>*]]>',
  '<?xml version="1.0"?>*',
  '<?*?>',
  '<!DOCTYPE html>*',
  '<!DOCTYPE x [<!ENTITY y "*">]>&y;',
  '</*>',
  '<//*>',
  '<![CDATA[*',
  '<?php * ?>',
  '</3 * >',
  '<! * >',
];

const TEMPLATES = [
  '<template>*</template>',
  '<template></template>*',
  '<template>*',
  '</template>*',
  '<template><template>*</template>',
  '<div><template shadowrootmode=open>*</template></div>',
  '<div><template shadowrootmode=closed><slot></slot>*</template>x</div>',
  '<template><tr><td>*</template>',
  '<table><template>*</table>',
  '<svg><template>*</template></svg>',
  '<template><a>{{</a>*<a>}}</a></template>',
  '<select><template>*</template></select>',
];

const SELECTS = [
  '<select>*</select>',
  '<select><option>*</option></select>',
  '<select><option>&lt;img src=x onerror=alert(1)&gt;</option></select>*',
  '<select><button><selectedcontent>*</selectedcontent></button><option selected>*</select>',
  '<select><style><!--</style>*--></select>',
  '<select><svg><style><a title="</style>*">',
  '<select><keygen><table><select>*',
  '<select><input>*',
  '<table><select><tr><td>*',
  '<select><textarea></select>*</textarea>',
];

const TABLES = [
  '<table>*',
  '<table><tr>*<td>x</table>',
  '<table><caption>*</table>',
  '<table><colgroup>*<col></table>',
  '<table><td><table>*</table></table>',
  '<table><input type=hidden onfocus=alert(1)>*',
  '<table><form>*<tr><td></form></table>',
  '<table><a href="/a">*<tr><td><a href="/b">',
  '<table><style>*</style></table>',
  '<table><svg><tr>*</svg></table>',
];

const CUSTOM_ELEMENTS = [
  '<x-y onclick=alert(1)>*</x-y>',
  '<p is="x-y">*</p>',
  '<annotation-xml onclick=x>*',
  '<x.y onload=x>*',
  '<unknown autofocus onfocus=alert(1) tabindex=1>*',
  '<constructor-x>*',
  '<a-\u00e9>*',
  '<image src=x onerror=alert(1)>*',
  '<marquee onstart=alert(1)>*</marquee>',
  '<p contenteditable autofocus onfocus=alert(1)>*</p>',
];

const MALFORMED_TAGS = [
  '<img src=x onerror=alert(1)',
  '<img src=x onerror="alert(1)',
  '<<script>x//<</script>',
  '<img """><script>alert(1)</script>">',
  '<a onmouseover=alert(1)>x</a',
  '<script src=https://x.example/a.js?< b >',
  '<img src="`<javascript:alert(1)>`"',
  '<body onload!#$%&()*~+-_.,:;?@[/|\\]^`=alert(1)>',
  '<a href=javascript:alert(1) ',
  ...'<|</|<a|<a |<a/|<a =|<img/|<p/>x</p>|<1>x'.split('|'),
  '<a b<img src=x onerror=alert(1)>',
  '<p></p/onclick=x><img src=x onerror=alert(1)>',
  '<img src=/a alt="<p" title="onerror=alert(1)">',
  '<\u00e9 onclick=x>y',
  'List<String> <img src=x onerror=alert(1)>',
  '<a@x.example <img src=x onerror=alert(1)>',
  'a<b<img src=x onerror=alert(1)>',
  'a<b <script>alert(1)</script>',
  'a<b && c <svg onload=alert(1)>',
  '<b title="<script>alert(1)</script>" <i>x',
  "<a b='<img src=x onerror=alert(1)>",
];

export const MARKUP_ATTACKS: Attacks = {
  'script element': put(PLACES, SCRIPTS),
  comment: [
    ...put(COMMENTS, HARMFUL),
    ...['<!-- ', '<!', '-->', '<!--<!--', '--!>'].map((unit) => `${unit.repeat(3_000)}${IMAGE}`),
  ],
  'processing instruction, CDATA or doctype': put(DECLARATIONS, HARMFUL),
  'template or shadow root': put(TEMPLATES, HARMFUL),
  select: put(SELECTS, HARMFUL),
  table: put(TABLES, HARMFUL),
  'custom element': put(CUSTOM_ELEMENTS, HARMFUL),
  'malformed tag': [
    ...put(PLACES, MALFORMED_TAGS),
    ...TAG_SPELLINGS.flatMap((spell) => [
      ...['script', 'iframe', 'svg', 'style', 'img'].map(
        (name) => `<${spell(name)} src=x onerror=alert(1) onload=alert(1)>x</${name}>${IMAGE}`,
      ),
      `<textarea>x</${spell('textarea')}>${IMAGE}`,
    ]),
  ],
};
