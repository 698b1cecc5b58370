/** Splits a page at the two markers with this name: the text before, between and after the markers. */
function partsOf(page: string, name: string): readonly [string, string, string] {
  const parts = page.split(
    new RegExp(`(?<=<!-- ${name}:begin -->\n\n)|(?=\n\n<!-- ${name}:end -->)`),
  );
  const [before, part, after] = parts;
  if (parts.length !== 3 || before === undefined || part === undefined || after === undefined) {
    throw new Error(
      `the page needs <!-- ${name}:begin --> and <!-- ${name}:end --> once, in this order`,
    );
  }
  return [before, part, after];
}

export function readBetween(page: string, name: string): string {
  return partsOf(page, name)[1];
}

/** @returns the page with another text between the markers */
export function writeBetween(page: string, name: string, text: string): string {
  const [before, , after] = partsOf(page, name);
  return `${before}${text}${after}`;
}
