/** The tags of forbidden blocks, and of `pre`. */
const BLOCK_OR_PRE =
  /<\/?(?:(pre)|address|article|aside|center|div|fieldset|footer|form|header|hgroup|legend|main|nav|section)(?=[\s/>])/gi;

/**
 * Puts a line break before each tag of a forbidden block, so that the texts of two blocks do not run
 * together when their tags are removed. Within `pre`, where each line break shows, it puts one only
 * where a browser begins a new line for the block. The time is linear.
 */
export function breakBlocks(source: string): string {
  // Within `pre`, the position of the tag after which the text has not been looked at; else null.
  let textFrom: number | null = null;
  return source.replace(BLOCK_OR_PRE, (tag: string, pre: string | undefined, start: number) => {
    if (pre !== undefined) {
      textFrom = tag.startsWith('</') ? null : start;
      return tag;
    }
    if (textFrom === null) return `\n${tag}`;
    const isInLine = endsInLine(source.slice(textFrom, start));
    textFrom = start;
    return isInLine ? `\n${tag}` : tag;
  });
}

/** Whether anything stands behind the last line break. */
function endsInLine(html: string): boolean {
  const text = html.replace(/<br(?=[\s/>])[^<>]*>/gi, '\n').replace(/<[^<>]*>/g, '');
  return text !== '' && !text.endsWith('\n');
}
