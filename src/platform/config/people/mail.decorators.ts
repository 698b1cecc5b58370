import { applyDecorators } from '@nestjs/common';
import { isEmail, IsOptional, Matches, ValidateBy } from 'class-validator';

/** The sender of mails: an address, and the name that programs for mail show. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Parses `Name <address>` or an address alone. */
export function parseSender(text: string): Sender {
  const [, name = '', address = ''] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? [];
  return address === '' ? { name: '', address: text.trim() } : { name, address };
}

/** An optional setting with the sender of mails. */
export const MailSenderSetting = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    ValidateBy({
      name: 'mailSender',
      validator: {
        validate: (value) =>
          typeof value === 'string' &&
          !/[\r\n"]/.test(value) &&
          isEmail(parseSender(value).address),
        defaultMessage: (args) =>
          `${args?.property} must be an address, or a name and an address such as Pressroom <desk@example.org>`,
      },
    }),
  );

/** An optional setting with the URL of an SMTP server. */
export const SmtpUrl = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Matches(/^smtps?:\/\/(?:[^\s/@]+@)?[^\s/?#@]+(?:\?[^\s#]*)?$/, {
      message:
        'SMTP_URL must be a URL such as smtp://user:password@mail.example.org:587, or smtps:// for TLS from the start',
    }),
  );
