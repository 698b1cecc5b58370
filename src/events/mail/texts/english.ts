import type { MailKind } from '../mail-kinds.js';

/** The texts of the mails in English, as templates (mail-template.ts). */
export const ENGLISH: Readonly<Record<MailKind, string>> = {
  passwordReset: `Subject: Set a new password for {site}

Somebody, probably you, has asked for a new password for your account at {site}. Set it here:

{link}

The link works once, within one hour. If it was not you, do nothing: your password stays as it is.`,

  passwordChanged: `Subject: Your password for {site} was changed

The password of your account at {site} was changed, and you were signed out on all other devices.

If it was not you, set a new password at once by "forgotten password", and tell the people who run {site}.`,

  emailVerification: `Subject: Confirm your email address for {site}

This address was given for an account at {site}. If that was you, confirm it here:

{link}

The link works once, within seven days. If it was not you, do nothing.`,

  emailChange: `Subject: Confirm your new email address for {site}

This address was given as the new address of an account at {site}. If that was you, confirm it here:

{link}

The link works once, within one day. Until then the account keeps its old address. If it was not you, do nothing.`,

  emailChanged: `Subject: The email address of your account at {site} was changed

Your account at {site} now has another email address, and no longer this one.

If it was not you, take the change back here. This also signs the account out everywhere, and you will set a new password:

{link}

The link works once, within seven days.`,

  factorAdded: `Subject: A second factor was added to your account at {site}

Your account at {site} has a new second factor: an app for codes, or a passkey.

If it was not you, change your password at once, remove the factor, and tell the people who run {site}.`,

  factorRemoved: `Subject: A second factor of your account at {site} was removed

A second factor of your account at {site} was removed.

If it was not you, change your password at once, and tell the people who run {site}.`,

  newDevice: `Subject: New sign-in to your account at {site}

Somebody has signed in to your account at {site} from a device and network that it had not been used with: {device}, {network}.

If it was not you, change your password at once, which signs out all other devices, and tell the people who run {site}.`,

  providerLinked: `Subject: Your account at {site} was linked to single sign-on

Your account at {site} can now be entered by single sign-on: somebody has signed in there and confirmed it with your password.

If it was not you, change your password at once, and tell the people who run {site}.`,

  invitation: `Subject: You are invited to {site}

{inviter} has invited you to work at {site}. Accept the invitation here:

{link}

The link works once, within seven days. If you do not know what this is about, do nothing.`,

  notice: `Subject: {notice}

{notice}

You get this mail at once, because you have not chosen otherwise in the settings of your account at {site}.`,

  noticeDigest: `Subject: {site}: {count} unread

What has happened that concerns you, and that you have not read:

{notices}

You get this mail once a day at most, because you have not chosen otherwise in the settings of your account.`,

  test: `Subject: A test mail of {site}

The server of {site} can send mail.`,
};
