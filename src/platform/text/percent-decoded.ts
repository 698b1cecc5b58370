/** The text without percent-encoding; the text itself if it is not encoded well. Worker threads import this file. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
