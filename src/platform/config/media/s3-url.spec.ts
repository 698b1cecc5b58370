import { describe, expect, it } from '@jest/globals';
import { parseS3Url } from './s3-url.js';

const GOOD = {
  's3://KEY:a%2Fb+c%40@127.0.0.1:9000/the-bucket/news/desk/?tls=off&region=eu-west-1': {
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-west-1',
    bucket: 'the-bucket',
    prefix: 'news/desk/',
    credentials: { accessKeyId: 'KEY', secretAccessKey: 'a/b+c@' },
  },
  's3://s3.example.org/the.bucket': {
    endpoint: 'https://s3.example.org',
    region: 'us-east-1',
    bucket: 'the.bucket',
    prefix: '',
    credentials: undefined,
  },
};

const BAD = {
  'https://s3.example.org/bucket': 'write each /',
  's3://KEY:a/b@s3.example.org/bucket': 'write each /',
  's3://KEY:1/b@s3.example.org/bucket': 'write each /',
  's3://KEY:100%@s3.example.org/bucket': 'write each /',
  's3://s3.example.org/bucket/a b': 'write each /',
  's3://KEY@s3.example.org/bucket': 'a key and a secret',
  's3://:secret@s3.example.org/bucket': 'a key and a secret',
  's3://s3.example.org': 'a bucket',
  's3://s3.example.org/Bucket': 'a bucket',
  's3:///bucket': 'the host',
  's3://s3.example.org/bucket/a%20b': 'prefix',
  's3://s3.example.org/bucket#part': 'any #',
  's3://s3.example.org/bucket?tls=no': 'tls',
  's3://s3.example.org/bucket?region=EU': 'region',
  's3://s3.example.org/bucket?endpoint=https://a.example': 'parameters',
};

describe('parseS3Url', () => {
  it.each(Object.entries(GOOD))('should read %s', (text, location) => {
    expect(parseS3Url(text)).toEqual(location);
  });

  it.each(Object.entries(BAD))('should say what is wrong with %s', (text, problem) => {
    expect(parseS3Url(text)).toContain(problem);
  });
});
