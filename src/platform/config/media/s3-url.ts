import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy } from 'class-validator';

/** A place in a store that speaks the protocol of S3. */
export interface S3Location {
  /** The URL of the server. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** What the names of all objects begin with; '' or a path with a slash at its end. */
  readonly prefix: string;
  /** `undefined` if the SDK finds them: in its variables, its files, or on the machine. */
  readonly credentials: S3Credentials | undefined;
}

interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const EXAMPLE = 's3://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket/prefix?region=eu-central-1';

const ESCAPES = 'write each / @ : ? # % of key and secret as %2F %40 %3A %3F %23 %25';

const DEFAULT_REGION = 'us-east-1';
const HOST = /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[a-f\d:]+\])(?::\d{1,5})?$/i;
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
const PREFIX = /^(?:[\w.-]+\/)*$/;
const REGION = /^[a-z\d-]{1,40}$/;

/**
 * Parses a URL such as `s3://KEY:SECRET@host:9000/bucket/prefix?region=eu-central-1&tls=off`.
 *
 * @returns a text that says what is wrong, and holds nothing of the URL, which may hold a secret
 */
export function parseS3Url(text: string): S3Location | string {
  const url = /^s3:\/\/\S+$/.test(text) ? URL.parse(text) : null;
  // A slash in a secret ends the host, so the rest of the secret stands in the path.
  if (!url || url.pathname.includes('@')) return ESCAPES;
  const { host, hash, searchParams } = url;
  const [, bucket = '', ...folders] = url.pathname.replace(/\/+$/, '').split('/');
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const { region = DEFAULT_REGION, tls = 'on', ...unknown } = Object.fromEntries(searchParams);
  if (hash !== '' || text.includes('#')) return 'it must end before any #';
  if (Object.keys(unknown).length > 0) return 'its parameters are region and tls';
  if (!HOST.test(host)) return 'it needs the host of the store before the bucket';
  if (!BUCKET.test(bucket)) return 'it needs a bucket, of 3 to 63 of a-z, 0-9, dots and dashes';
  if (!PREFIX.test(prefix)) return 'its prefix has letters, digits, dots, dashes, _ and / only';
  if (!REGION.test(region)) return 'its region has a-z, 0-9 and dashes only';
  if (tls !== 'on' && tls !== 'off') return 'its tls must be on or off';
  const credentials = credentialsIn(url);
  if (typeof credentials === 'string') return credentials;
  const endpoint = `${tls === 'on' ? 'https' : 'http'}://${host}`;
  return { endpoint, region, bucket, prefix, credentials };
}

function credentialsIn({ username, password }: URL): S3Credentials | undefined | string {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') return 'it needs a key and a secret, or none of both';
  try {
    return {
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    };
  } catch {
    return ESCAPES;
  }
}

function problemOf(text: unknown): string {
  const parsed = typeof text === 'string' ? parseS3Url(text) : '';
  return typeof parsed === 'string' ? parsed : '';
}

/** An optional setting with the URL of a store that speaks the protocol of S3. */
export const S3Url = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => {
      const parsed = typeof value === 'string' ? parseS3Url(value) : value;
      return typeof parsed === 'string' ? value : parsed;
    }),
    ValidateBy({
      name: 's3Url',
      validator: {
        // A text that could not be parsed is still there.
        validate: (value) => typeof value !== 'string',
        defaultMessage: (args) =>
          `${args?.property} must be a URL such as ${EXAMPLE}: ${problemOf(args?.value)}`,
      },
    }),
  );
