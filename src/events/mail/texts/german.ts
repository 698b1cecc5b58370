import type { MailKind } from '../mail-kinds.js';

/** The texts of the mails in German, as templates (mail-template.ts). */
export const GERMAN: Readonly<Record<MailKind, string>> = {
  passwordReset: `Subject: Neues Passwort für {site}

Jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Konto bei {site} angefordert. Hier können Sie es setzen:

{link}

Der Link gilt einmal und eine Stunde lang. Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.`,

  passwordChanged: `Subject: Ihr Passwort für {site} wurde geändert

Das Passwort Ihres Kontos bei {site} wurde geändert, und Sie wurden auf allen anderen Geräten abgemeldet.

Wenn Sie es nicht waren, setzen Sie sofort über „Passwort vergessen“ ein neues und benachrichtigen Sie die Betreiber von {site}.`,

  emailVerification: `Subject: Bestätigen Sie Ihre E-Mail-Adresse für {site}

Diese Adresse wurde für ein Konto bei {site} angegeben. Wenn Sie das waren, bestätigen Sie sie hier:

{link}

Der Link gilt einmal und sieben Tage lang. Wenn Sie es nicht waren, tun Sie nichts.`,

  emailChange: `Subject: Bestätigen Sie Ihre neue E-Mail-Adresse für {site}

Diese Adresse wurde als neue Adresse eines Kontos bei {site} angegeben. Wenn Sie das waren, bestätigen Sie sie hier:

{link}

Der Link gilt einmal und einen Tag lang. Bis dahin behält das Konto seine alte Adresse. Wenn Sie es nicht waren, tun Sie nichts.`,

  emailChanged: `Subject: Die E-Mail-Adresse Ihres Kontos bei {site} wurde geändert

Ihr Konto bei {site} hat jetzt eine andere E-Mail-Adresse und nicht mehr diese.

Wenn Sie es nicht waren, nehmen Sie die Änderung hier zurück. Das meldet das Konto auch überall ab, und Sie setzen danach ein neues Passwort:

{link}

Der Link gilt einmal und sieben Tage lang.`,

  factorAdded: `Subject: Ihr Konto bei {site} hat einen neuen zweiten Faktor

Ihr Konto bei {site} hat einen neuen zweiten Faktor: eine App für Codes oder einen Passkey.

Wenn Sie es nicht waren, ändern Sie sofort Ihr Passwort, entfernen Sie den Faktor und benachrichtigen Sie die Betreiber von {site}.`,

  factorRemoved: `Subject: Ein zweiter Faktor Ihres Kontos bei {site} wurde entfernt

Ein zweiter Faktor Ihres Kontos bei {site} wurde entfernt.

Wenn Sie es nicht waren, ändern Sie sofort Ihr Passwort und benachrichtigen Sie die Betreiber von {site}.`,

  newDevice: `Subject: Neue Anmeldung an Ihrem Konto bei {site}

Jemand hat sich an Ihrem Konto bei {site} von einem Gerät und Netz aus angemeldet, mit denen es bisher nicht benutzt wurde: {device}, {network}.

Wenn Sie es nicht waren, ändern Sie sofort Ihr Passwort, was alle anderen Geräte abmeldet, und benachrichtigen Sie die Betreiber von {site}.`,

  providerLinked: `Subject: Ihr Konto bei {site} ist mit Single Sign-on verknüpft

Ihr Konto bei {site} lässt sich jetzt auch mit Single Sign-on öffnen: Jemand hat sich dort angemeldet und es mit Ihrem Passwort bestätigt.

Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort und sagen Sie den Betreibern von {site} Bescheid.`,

  invitation: `Subject: Einladung zu {site}

{inviter} hat Sie eingeladen, bei {site} mitzuarbeiten. Hier können Sie die Einladung annehmen:

{link}

Der Link gilt einmal und sieben Tage lang. Wenn Sie nicht wissen, worum es geht, tun Sie nichts.`,

  notice: `Subject: {notice}

{notice}

Sie bekommen diese Mail sofort, weil Sie in den Einstellungen Ihres Kontos bei {site} nichts anderes gewählt haben.`,

  noticeDigest: `Subject: {site}: {count} ungelesen

Was geschehen ist, Sie betrifft und noch nicht gelesen ist:

{notices}

Sie bekommen diese Mail höchstens einmal am Tag, weil Sie in den Einstellungen Ihres Kontos nichts anderes gewählt haben.`,

  test: `Subject: Testnachricht von {site}

Der Server von {site} kann E-Mails verschicken.`,
};
