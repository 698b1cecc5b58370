import { isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy, type ValidationOptions } from 'class-validator';
import { DURATION_PATTERN, parseDuration } from './duration.js';
import { parseRate, RATE_PATTERN } from './rate.js';

/** Largest number of processes. More processes would use memory without serving more requests. */
const MAX_WORKERS = 64;

/**
 * A host name of at least two labels, so `localhost` does not match. The last label begins with a letter, so
 * no IP address matches either.
 */
const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Parses a text that matches the pattern. Any other text stays a string, which the validation then checks. */
const ParseMatching = (pattern: RegExp, parse: (text: string) => unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && pattern.test(value) ? parse(value) : value,
  );

const ValidateSetting = (
  name: string,
  isValid: (value: unknown) => boolean,
  message: string,
  options?: ValidationOptions,
): PropertyDecorator =>
  ValidateBy(
    {
      name,
      validator: { validate: isValid, defaultMessage: (args) => `${args?.property} ${message}` },
    },
    options,
  );

const ParseInteger = (): PropertyDecorator => ParseMatching(/^\d{1,9}$/, Number);

/** @param what the expected value, in words for the error message */
export const WholeNumber = (min: number, max: number, what = 'a whole number'): PropertyDecorator =>
  applyDecorators(
    ParseInteger(),
    ValidateSetting(
      'wholeNumber',
      (value) => typeof value === 'number' && value >= min && value <= max,
      `must be ${what} from ${min} to ${max}`,
    ),
  );

/** A number of processes, or `auto`. */
export const WorkerCount = (): PropertyDecorator =>
  applyDecorators(
    ParseInteger(),
    ValidateSetting(
      'workerCount',
      (value) =>
        value === 'auto' || (typeof value === 'number' && value >= 1 && value <= MAX_WORKERS),
      `must be a whole number from 1 to ${MAX_WORKERS}, or auto`,
    ),
  );

/** Parses a duration such as `15m` into milliseconds. */
export const Duration = (): PropertyDecorator =>
  applyDecorators(
    ParseMatching(DURATION_PATTERN, parseDuration),
    ValidateSetting(
      'duration',
      isParsed,
      'must be a duration such as 15m, 12h or 14d (units ms, s, m, h, d)',
    ),
  );

/** Parses a rate such as `100/1h` into a `Rate`. */
export const RateSetting = (): PropertyDecorator =>
  applyDecorators(
    ParseMatching(RATE_PATTERN, parseRate),
    ValidateSetting('rate', isParsed, 'must be a rate such as 100/1h (how many, in which time)'),
  );

/** Whether `ParseMatching` has parsed the text. If it has not, the value is still a string. */
function isParsed(value: unknown): boolean {
  return typeof value !== 'string';
}

/** Parses a comma-separated list such as `a, b` into `['a', 'b']`. The pattern matches every text. */
export const CommaList = (): PropertyDecorator =>
  ParseMatching(/^/, (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

/** A list of IP addresses and CIDR ranges. */
export const AddressRanges = (): PropertyDecorator =>
  ValidateSetting(
    'addressRanges',
    isAddressRange,
    'must be a comma list of addresses or ranges such as 10.0.0.0/8',
    { each: true },
  );

/** A list of host names, written as in the `hostname` of a URL. Ports and wildcards are refused. */
export const HostNames = (): PropertyDecorator =>
  ValidateSetting(
    'hostNames',
    (value) => HOST_NAME.test(String(value)),
    'must be a comma list of host names such as www.youtube-nocookie.com, in lower case ' +
      '(other letters as xn--…)',
    { each: true },
  );

function isAddressRange(value: unknown): boolean {
  const [, address = '', prefix = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(String(value)) ?? [];
  const version = isIP(address);
  // A prefix length of 0 is refused, because every client would then be a trusted proxy and could claim any IP
  // address.
  const isPrefixValid = Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
  return version !== 0 && isPrefixValid;
}
