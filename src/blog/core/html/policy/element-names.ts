/** The elements of HTML without an end tag. */
export const VOID_NAMES: ReadonlySet<string> = names(
  'area base basefont bgsound br col command embed frame hr image img input isindex keygen link meta ' +
    'nextid param source track wbr',
);

/** The elements of HTML, those of former versions included. */
export const HTML_NAMES = names(
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink ' +
    'blockquote body br button canvas caption center cite code col colgroup command content data ' +
    'datalist dd del details dfn dialog dir div dl dt element em embed fencedframe fieldset figcaption ' +
    'figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe ilayer image ' +
    'img input ins isindex kbd keygen label layer legend li link listing main map mark marquee math menu ' +
    'menuitem meta meter multicol nav nextid nobr noembed noframes noindex nolayer noscript object ol optgroup option ' +
    'output p param picture plaintext portal pre progress q rb rbc rp rt rtc ruby s samp script search ' +
    'section select selectedcontent shadow slot small source spacer span strike strong style sub summary ' +
    'sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp',
);

/** The elements of SVG 1.1 and 2 whose names have no dash. */
const SVG = names(
  'altglyph altglyphdef altglyphitem animate animatecolor animatemotion animatetransform circle clippath ' +
    'cursor defs desc discard ellipse feblend fecolormatrix fecomponenttransfer fecomposite ' +
    'feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca ' +
    'fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset ' +
    'fepointlight fespecularlighting fespotlight fetile feturbulence filter foreignobject g glyph ' +
    'glyphref hatch hatchpath hkern line lineargradient marker mask mesh meshgradient meshpatch meshrow ' +
    'metadata mpath path pattern polygon polyline radialgradient rect set solidcolor stop switch symbol ' +
    'text textpath tref tspan use view vkern',
);

/**
 * The elements of presentation MathML. Those of content MathML are left out: no browser knows them,
 * and some are words of programs, such as `int`.
 */
const MATHML = names(
  'maction maligngroup malignmark menclose merror mfenced mfrac mglyph mi mlabeledtr mlongdiv ' +
    'mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup ' +
    'msline mspace msqrt msrow mstack mstyle msub msubsup msup mtable mtd mtext mtr munder munderover ' +
    'none semantics annotation',
);

/** The name of a custom element, without the rarer letters that HTML allows in it. */
const CUSTOM_NAME = /^[a-z][\w.\u00b7\u00c0-\u{effff}]*-[\w.\u00b7\u00c0-\u{effff}-]*$/u;

/** A name with a namespace, such as Word's `o:p`. */
const PREFIXED_NAME = /^[a-z][\w.-]*:[a-z][\w.-]*$/;

/**
 * Whether an author who writes `<name>` means an element. Any other name was meant as text, as in
 * `List<String>` or `<ada@example.org>`.
 *
 * @param name in lower case
 */
export function isElementName(name: string): boolean {
  return (
    HTML_NAMES.has(name) ||
    SVG.has(name) ||
    MATHML.has(name) ||
    CUSTOM_NAME.test(name) ||
    PREFIXED_NAME.test(name)
  );
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
