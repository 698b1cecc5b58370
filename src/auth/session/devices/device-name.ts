import Bowser from 'bowser';

const UNKNOWN = 'unknown device';
/** The name of a program; in a user-agent header its version follows (RFC 9110, section 10.1.5). */
const PROGRAM = /^[\w .-]{1,40}(?=\/|$)/;

/**
 * Names a device by its user-agent header, without versions, so that an update does not make another device of it.
 *
 * @returns for example `Firefox on Windows`
 */
export function deviceNameOf(userAgent: string): string {
  const text = userAgent.trim();
  if (text === '') return UNKNOWN;
  const parsed = Bowser.getParser(text);
  // Bowser takes the name of a program that it does not know from the text as it is.
  const [program = UNKNOWN] = PROGRAM.exec(parsed.getBrowserName() || text) ?? [];
  const system = parsed.getOSName();
  return system === '' ? program : `${program} on ${system}`;
}
