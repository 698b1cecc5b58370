/** What the SDK has thrown, in the words of an operator. */
export interface S3Failure {
  /** Name and status, such as `AccessDenied 403`, without texts of the store. */
  readonly codes: string;
  /** Whether a repetition is useless. */
  readonly isFinal: boolean;
  /** Whether there is no object of this name. */
  readonly isMissing: boolean;
  /** Whether the disk of this machine has failed, and not the store. */
  readonly isOfDisk: boolean;
  readonly advice: string;
}

const REFUSED =
  'Correct the key and the secret in MEDIA_S3_URL, and let them list the bucket and read, write and delete its objects.';
const WRONG_REGION = 'Correct the region in MEDIA_S3_URL.';

const ADVICE: Readonly<Record<string, string>> = {
  AccessDenied: REFUSED,
  InvalidAccessKeyId: REFUSED,
  SignatureDoesNotMatch: REFUSED,
  CredentialsProviderError:
    'Write key and secret into MEDIA_S3_URL, or give the SDK of AWS some, such as AWS_ACCESS_KEY_ID.',
  NoSuchBucket: 'Create the bucket, or correct its name in MEDIA_S3_URL.',
  PermanentRedirect: WRONG_REGION,
  AuthorizationHeaderMalformed: WRONG_REGION,
  RequestTimeTooSkewed: 'Set the clock of this machine, by NTP.',
  EPROTO: 'The store speaks no TLS at this port: correct the port, or add tls=off.',
};

const UNREACHABLE = 'See to it that this machine reaches the host and port of MEDIA_S3_URL.';
const BROKEN = 'Look into the log of the store, and try again.';

const OF_DISK: readonly string[] = ['EDQUOT', 'EEXIST', 'EIO', 'EMFILE', 'ENOENT', 'ENOSPC'];

/** Answers that are worth a repetition although they are no 5xx. */
const TEMPORARY: readonly string[] = ['RequestTimeout', 'SlowDown', 'TooManyRequestsException'];
const TOO_MANY = 429;
const SERVER_ERROR = 500;

/** @param error what the SDK, or a stream, has thrown */
export function s3FailureOf(error: unknown): S3Failure {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: string;
    $metadata?: { readonly httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  const label = code ?? name ?? 'failed';
  const isAnswered = status !== undefined;
  const isTemporary = isAnswered
    ? status >= SERVER_ERROR || status === TOO_MANY || TEMPORARY.includes(label)
    : label !== 'CredentialsProviderError';
  return {
    // An answer to HEAD has no text that could name the failure.
    codes: isAnswered ? `${label} ${status}`.replace(/^Unknown\w* /, '') : label,
    isFinal: !isTemporary,
    isMissing: status === 404 && (label === 'NoSuchKey' || label === 'NotFound'),
    isOfDisk: !isAnswered && OF_DISK.includes(label),
    advice: ADVICE[label] ?? (status === 403 ? REFUSED : isAnswered ? BROKEN : UNREACHABLE),
  };
}
